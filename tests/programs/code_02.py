"""The slope of ln(x³) at 5 as a difference quotient, with a step of 0.001 in float32."""

import torch
from show import describe_all


def log_of_cube(at):
    cubed = at**3
    return cubed, torch.log(cubed)


here = torch.tensor(5.0)
there = torch.tensor(5.001)
cubed_here, result_here = log_of_cube(here)
cubed_there, result_there = log_of_cube(there)
describe_all("at 5", here=here, cubed_here=cubed_here, result_here=result_here)
describe_all("a step on", there=there, cubed_there=cubed_there, result_there=result_there)

slope = (result_there - result_here) / (there - here)
print("slope", slope, slope.item())
