"""Which operations mind that their inputs or outputs are changed, and how they say so."""

import torch
from show import attempt

OPERATIONS = (
    "x * y", "x + y", "x / y", "x ** 2", "x ** y", "x.exp()", "x.log()", "x.sqrt()", "x.sin()",
    "x.tanh()",
    "x.sigmoid()", "x.relu()", "x.abs()", "x.square()", "x.sum()", "x.mean()", "x.prod()",
    "x.max()",
    "x.max(0)[0]", "x.var()", "x.norm()", "x.softmax(0)", "x.logsumexp(0)", "x @ y",
    "torch.outer(x, y)",
    "torch.maximum(x, y)", "torch.where(m, x, y)", "x.clamp(0, 1)", "x.clone()", "x[0]", "x[i]",
    "x[m]",
    "x.view(2)", "x.repeat(2)", "x.cumsum(0)", "torch.cat([x, y])", "x.index_select(0, i)",
    "x.masked_fill(m, 2.0)", "x.reciprocal()", "torch.nn.functional.softplus(x)",
    "torch.nn.functional.mse_loss(x, y)", "x.sort()[0]", "torch.atan2(x, y)", "x.log1p()",
    "x * 3", "3 / x",
    "2 ** x", "torch.nn.functional.linear(x.view(1, 2), y.view(1, 2))",
)  # fmt: skip
EDITS = ("{}.data.add_(0)", "{}.detach().add_(0)", "{}.add_(0)", "{}[0:1] = 0.5")
for operation in OPERATIONS:
    for edited in ("x", "y", "r", "m", "i"):
        for edit in EDITS if edited in "xyr" else EDITS[-1:]:
            if edited != "r" and edited not in operation:
                continue
            a, b = (torch.tensor([p, 0.7], requires_grad=True) for p in (0.3, 0.2))
            x, y, m, i = a * 1, b * 1, torch.tensor([True, False]), torch.tensor([1, 0])
            r = eval(operation)
            total = r.sum()
            if r.ndim == 0 and "[" in edit and edited == "r":
                continue
            exec(edit.format(edited))
            attempt(f"{operation}: {edit.format(edited)}", total.backward)
