"""assert_close: the tolerances of each dtype, and how it says what differs."""

import torch

assert_close = torch.testing.assert_close
nan = float("nan")
x = torch.tensor([1.0, 2.0, 4.0])
for actual, expected, options in (
    (x, x, {}), (x, x + torch.tensor([0.0, 0.0, 1.0]), {}), (x, torch.ones(2), {}),
    (x, x.double(), {}), (x, x.double(), {"check_dtype": False}), (x.long(), x.long() + 1, {}),
    (x, x + 1e-3, {"rtol": 0, "atol": 1e-2}), (x, x + 1, {"rtol": 0.1, "atol": 0.1}),
    (x.double(), x.double() + 1e-3, {}), (x * nan, x * nan, {"equal_nan": True}),
    (x.half(), x.half() + 0.5, {}), ([x, x], [x, x], {}), (torch.zeros(0), torch.zeros(0), {}),
    (x.reshape(3, 1), x.reshape(3, 1) * torch.tensor([[1.0], [1.0], [3.0]]), {}),
):  # fmt: skip
    try:
        assert_close(actual, expected, **options)
        print("close")
    except AssertionError as error:
        print(error)
