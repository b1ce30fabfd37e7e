"""What notebook 16_training asks: layers, losses, batches, and the loop that trains."""

import gc
import math
import weakref

from minigrad_course.ask.declare import error_means, exercise, expect, names_used, prediction, same
from minigrad_course.kernel.reader import yours

prediction(
    "16.a",
    """`w` is 0.6, and the drawing shows its gradient, 0.2439. The loop below makes steps with the
    rate 1. What is `w` after the first step?""",
    {
        "0.8439": """That is uphill. The gradient says where the cost grows, so the step goes
        against it.""",
        "0.3561": """0.6 − 1 · 0.2439. The neuron said too much, and a smaller `w` makes it say
        less.""",
        "0.6": """A leaf that requires grad must not be changed in a recorded way. But this step
        stands inside `no_grad()`.""",
    },
    answer="0.3561",
    shown="step  1: the cost was 0.6684, w is now 0.3561",
)

prediction(
    "16.b",
    """A layer has 3 inputs and 2 neurons, so `bias` has 2 numbers. A batch of 4 samples goes
    through it: `out = layer(batch)`. What is `layer.bias.grad` after `out.sum().backward()`?""",
    {
        "[1., 1.]": """That would be one sample's part. The batch has four of them.""",
        "[4., 4.]": """Each number of the bias is used once for each of the 4 samples, and what
        the uses bring is added.""",
        "A (4, 2) matrix of ones": """That is the gradient of `out`. A parameter's gradient has
        the parameter's shape.""",
    },
    answer="[4., 4.]",
    shown="tensor([4., 4.])",
)

prediction(
    "16.c",
    """Three classes, all scores 0, so each share is 1/3. The right class is 0. What is the
    gradient of the loss with respect to the scores?""",
    {
        "[-1, 0, 0]": """The loss reads only the log of the first share. But all three scores
        make that share: they are in the sum.""",
        "[-0.67, 0.33, 0.33]": """Raising the first score makes its share larger and the loss
        smaller. Raising another one does the opposite.""",
        "[-0.33, 0.33, 0.33]": """The scores may all be raised by the same amount, and no share
        changes. So the three gradients must add up to 0.""",
    },
    answer="[-0.67, 0.33, 0.33]",
    shown="tensor([[-0.6667,  0.3333,  0.3333]])",
)

prediction(
    "16.d",
    """`a` comes from layer `A`, and the optimizer has the parameters of `A`, `B` and `C`.
    `B(a.detach()).mean().backward()` runs, and then `optimizer.step()`. Which layers move?""",
    {
        "those of A and B": """`A` made the numbers that `B` gets. But backward follows edges, and
        behind `detach()` there are none.""",
        "only that of B": """The graph ends at the detached tensor. `A` and `C` have no gradient,
        and the step leaves them out.""",
        "all three": """The optimizer has the parameters of all three. But it moves only those
        that have a gradient.""",
    },
    answer="only that of B",
    shown="after B: {'A': 2.0, 'B': 1.8, 'C': 2.0}",
)


@exercise(
    "16.1",
    "Batches and steps",
    difficulty=1,
    minutes=5,
    hint="""60,000 / 128 is a little less than 469. What happens to the rest?""",
    solution="""
        counts = {"batches": 469, "last batch": 96, "steps": 4690, "steps with drop_last": 4680}
    """,
    right="With drop_last 96 samples wait for another epoch, in which the order is another one.",
)
def check_counts(counts):
    expect(
        counts["batches"] != 468,
        "468 batches of 128 are 59,904 samples. Yours leaves out the rest, which is a batch, too.",
    )
    expect(same(counts["batches"], 469), "`batches`: 60,000 / 128, rounded up.")
    expect(same(counts["last batch"], 96), "`last batch`: it has what 468 full batches leave.")
    expect(counts["steps"] != 469, "`steps`: that is one epoch. There are 10.")
    expect(same(counts["steps"], 4690), "`steps`: one for each batch of each epoch.")
    expect(
        counts["steps with drop_last"] != 4690,
        "`steps with drop_last`: the smaller batch makes no step then.",
    )
    expect(same(counts["steps with drop_last"], 4680), "`steps with drop_last`: in all 10 epochs.")


@exercise(
    "16.2",
    "The mean over samples",
    difficulty=1,
    minutes=8,
    hint="""Keep two numbers: the sum of `loss.item() * count`, and the sum of the counts.""",
    solution="""
        class Average:
            def __init__(self):
                self.total, self.count = 0.0, 0

            def add(self, loss, count):
                self.total += loss.item() * count
                self.count += count

            def value(self):
                return self.total / self.count
    """,
    right="Training tools call this a running average, or a meter.",
)
def check_average(average_class):
    library = yours()
    average = average_class()
    x = library.tensor(2.0, requires_grad=True)
    first = x * 1.0
    node = weakref.ref(first.grad_fn)
    average.add(first, 3)
    del first
    gc.collect()
    alive = node() is not None
    average.add(x * 5.0, 1)
    value = average.value()
    number = value.item() if isinstance(value, library.Tensor) else value
    expect(
        not same(number, 6.0),
        "The means are 2 (of 3 samples) and 10 (of 1). Yours is 6: it counts all batches alike.",
    )
    expect(
        not same(number, 8.0),
        "Yours divides by the number of batches. Divide by the number of samples.",
    )
    expect(same(number, 4.0), f"Of 2 (3 samples) and 10 (1 sample) yours makes {number:g}, not 4.")
    expect(not alive, "The number is right, but yours keeps the graph of each batch: `item()`.")
    expect(not isinstance(value, library.Tensor), "`value()` is to return a number, not a tensor.")
    other = average_class()
    other.add(x * 1.0, 1)
    expect(
        same(other.value(), 2.0),
        "Make two averages, and each sees what the other got. Keep the numbers in `self`.",
    )


class Layer:
    """A layer like the notebook's."""

    def __init__(self, library, weight, bias):
        self.weight = library.tensor(weight, requires_grad=True)
        self.bias = library.tensor(bias, requires_grad=True)

    def __call__(self, x):
        return x @ self.weight.T + self.bias

    def parameters(self):
        return [self.weight, self.bias]


@exercise(
    "16.3",
    "A chain of layers",
    difficulty=2,
    minutes=12,
    hint="""Whether something has parameters: `hasattr(part, "parameters")`. Whether a list has this
    very parameter already: compare with `is`. (`in` asks `==`, and for tensors that is an
    operation.)""",
    solution="""
        class Chain:
            def __init__(self, *parts):
                self.parts = parts

            def __call__(self, x):
                for part in self.parts:
                    x = part(x)
                return x

            def parameters(self):
                found = {}
                for part in self.parts:
                    if hasattr(part, "parameters"):
                        found |= {id(each): each for each in part.parameters()}
                return list(found.values())
    """,
    right="`nn.Sequential` is this. A shared layer trained twice a step would move twice as far.",
)
def check_chain(chain_class):
    library = yours()
    one = Layer(library, [[2.0, 0.0], [0.0, 3.0]], [1.0, 1.0])
    two = Layer(library, [[1.0, 1.0]], [0.5])
    x = library.tensor([[1.0, -1.0]])
    chain = chain_class(one, lambda x: x.relu(), one, two)
    with error_means(
        "multiplied",
        "The shapes do not fit: apply the parts in order, not from the last to the first.",
    ):
        out = chain(x)
    want = two(one(one(x).relu()))
    expect(same(out, want), "The result is not that of the parts, one after another.")
    by_value = (
        "`each in found` asks `==`, and that compares the numbers of tensors. Whether it is the "
        "same tensor, `is` and `id` tell."
    )
    with (
        error_means("'function' object", "A plain function has no parameters; leave it out."),
        error_means("ambiguous", by_value),
        error_means("must match", by_value),
    ):
        found = list(chain.parameters())
    wanted = {id(each) for layer in (one, two) for each in layer.parameters()}
    expect(
        len(found) == len({id(each) for each in found}),
        "The first layer stands in the chain twice, and its parameters are twice in the list.",
    )
    listed = {id(each) for each in found}
    expect(
        not listed < wanted,
        "Some parameters are missing. The check brings layers of another class: a layer is whatever"
        " has `parameters`, so ask for that.",
    )
    expect(listed == wanted, "`parameters()` lists other tensors than these.")
    alike = Layer(library, [[2.0, 0.0], [0.0, 3.0]], [1.0, 1.0])
    try:
        count = len(list(chain_class(one, alike).parameters()))
    except RuntimeError:
        count = 0
    expect(
        count == 4,
        "Two layers that hold equal numbers have four parameters. Whoever asks `==` (as `in` does) "
        "takes them for the same; `is` and `id` tell.",
    )


def line_losses(lr, steps):
    """The losses and the final line of 16.4, by hand: y = 3x + 1 from three points."""
    weight = bias = 0.0
    losses = []
    for _ in range(steps):
        errors = [(weight * x + bias - 3 * x - 1, x) for x in (-1.0, 0.0, 1.0)]
        losses.append(sum(e * e for e, _ in errors) / 3)
        weight -= lr * sum(2 * e * x for e, x in errors) / 3
        bias -= lr * sum(2 * e for e, _ in errors) / 3
    return losses, weight, bias


@exercise(
    "16.4",
    "The loop on an empty page",
    difficulty=2,
    minutes=15,
    hint="""Clear, forward, backward, step. The step changes each parameter in place, inside
    `no_grad()`.""",
    solution="""
        def fit(layer, x, y, lr, steps):
            losses = []
            for _ in range(steps):
                for parameter in layer.parameters():
                    parameter.grad = None
                loss = ((layer(x) - y) ** 2).mean()
                loss.backward()
                with no_grad():
                    for parameter in layer.parameters():
                        parameter -= lr * parameter.grad
                losses.append(loss.item())
            return losses
    """,
    right="This loop trains every network there is. The rest is what you put into it.",
)
def check_fit(fit):
    expect(
        not names_used(fit) & {"SGD", "optim"},
        "The page is to be empty: neither `SGD` nor another helper. Write the step yourself.",
    )
    library = yours()
    x = library.tensor([[-1.0], [0.0], [1.0]])
    y = 3.0 * x + 1.0

    def fitted(steps, held=None):
        layer = Layer(library, [[0.0]], [0.0])
        for parameter in layer.parameters():
            parameter.grad = None if held is None else held * parameter + held
            if held is not None:
                parameter.grad = parameter.grad.detach()
        with error_means(
            "in-place",
            "The step is recorded: a leaf that requires grad refuses. Use `no_grad()`.",
        ):
            return fit(layer, x, y, 0.1, steps), layer

    losses, layer = fitted(3)
    want, weight, bias = line_losses(0.1, 3)
    expect(losses is not None and len(losses) == 3, "Return a list with one loss for each step.")
    expect(
        not any(isinstance(loss, library.Tensor) for loss in losses),
        "The losses are tensors, and each keeps its graph. Take their numbers with `item()`.",
    )
    expect(
        not same(losses, [want[0]] * 3),
        "The layer has not changed. `p = p - …` makes a new tensor of that name: change it in "
        "place.",
    )
    expect(not same(losses[0], 3 * want[0]), "Your loss is the sum of the squares, not their mean.")
    expect(losses[1] < losses[0], "The loss grows: the step goes in the wrong direction.")
    expect(
        same(losses[:2], want[:2]) or not same(losses[0], want[1]),
        "Your first loss is from after the first step.",
    )
    expect(
        same(losses[:2], want[:2], 1e-5),
        f"The first two losses are {losses[:2]}, not {want[:2]}.",
    )
    expect(
        same(losses[2], want[2], 1e-5),
        "The first step is right, the second goes too far: the gradient of the first is never "
        "cleared.",
    )
    found = [layer.weight.item(), layer.bias.item()]
    expect(
        all(math.isclose(a, b, rel_tol=1e-4) for a, b in zip(found, [weight, bias], strict=True)),
        "The losses are right, but the weights at the end are not.",
    )
    losses, _ = fitted(2, held=100.0)
    expect(
        same(losses, want[:2], 1e-5),
        "Your loop clears after the step, so `.grad` starts with what it held before. Clear "
        "before each backward.",
    )
