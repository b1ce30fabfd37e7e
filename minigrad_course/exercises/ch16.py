"""What notebook 16_training asks: layers, losses, batches, and the loop that trains."""

import gc
import weakref

import numpy as np

import minigrad as torch
from minigrad_course.ask.declare import (
    error_means,
    exercise,
    expect,
    expect_entries,
    expect_none_of,
    names_used,
    prediction,
    same,
)
from minigrad_course.kernel.reader import yours

prediction(
    "16.a",
    """`w` is 0.6, and the drawing shows its gradient, 0.2439. The loop below takes steps with a
    learning rate of 1. What is `w` after the first step?""",
    {
        "0.8439": """That is uphill. The gradient says how the loss changes when `w` grows, so the
        step has to go against it.""",
        "0.3561": """0.6 − 1 · 0.2439. The probability was too large, and a smaller `w` makes it
        smaller.""",
        "0.6": """A leaf that requires grad may not be changed while autograd is recording. This
        step is inside `no_grad()`, though, so it does change `w`.""",
    },
    answer="0.3561",
    shown="step  1: the loss was 0.6684, w is now 0.3561",
)

prediction(
    "16.b",
    """A layer has 3 inputs and 2 neurons, so `bias` has 2 numbers. A batch of 4 samples goes
    through it: `out = layer(batch)`. What is `layer.bias.grad` after `out.sum().backward()`?""",
    {
        "[1., 1.]": """That is the contribution of a single sample, and the batch has four.""",
        "[4., 4.]": """Each number of the bias is used once for each of the 4 samples, and the
        contributions of all uses add up.""",
        "A (4, 2) matrix of ones": """That is the gradient of `out`, whereas a parameter's gradient
        has the shape of the parameter.""",
    },
    answer="[4., 4.]",
    shown="tensor([4., 4.])",
)

prediction(
    "16.c",
    """There are three classes, and all logits are 0, so each probability is 1/3. The right class
    is 0. What is the gradient of the loss with respect to the logits?""",
    {
        "[-1, 0, 0]": """The loss reads only the first probability, but that depends on all three
        logits, since they are all in the sum that it is divided by.""",
        "[-0.67, 0.33, 0.33]": """Raising the first logit makes the right probability larger and
        the loss smaller. Raising either of the others does the opposite, half as strongly.""",
        "[-0.33, 0.33, 0.33]": """If you add the same number to all logits, no probability changes,
        and neither does the loss. So the three gradients have to add up to 0.""",
    },
    answer="[-0.67, 0.33, 0.33]",
    shown="tensor([[-0.6667,  0.3333,  0.3333]])",
)

prediction(
    "16.d",
    """Now all weights of both layers begin at 0.1 and all biases at 0, and the loop is the same.
    How well does this network read the held-out digits after 30 epochs?""",
    {
        "as well as before": """Training moves the weights, but it moves those of all 32
        neurons alike. Equal neurons get equal gradients, so there is nothing that could make them
        differ.""",
        "far worse, but better than chance": """The 32 neurons get equal gradients, so they stay
        copies of a single one, and ten classes have to be told apart by one number.""",
        "no better than chance": """It does learn a little, because the ten neurons of the second
        layer get different gradients: each of them has a class of its own.""",
    },
    answer="far worse, but better than chance",
    shown="equal weights in both layers: 18.8% held out, 1 of 32 neurons differ",
)

prediction(
    "16.e",
    """And if every pixel moves by 0.1 *against* the sign of the gradient, downhill, how
    many of the 500 digits does the network read correctly?""",
    {
        "261, as before": """A change is not harmful just because a gradient chose it. This one
        lowers the loss of every digit.""",
        "479, as without noise": """That would be so if nothing could help the misread digits.
        They are close to the border as well, only on its other side.""",
        "all 500": """Against the gradient, every digit moves toward its own label. That is not a
        better network, though: to get the gradient, we had to tell it the labels.""",
    },
    answer="all 500",
    shown="against the sign: 500",
)


@exercise(
    "16.1",
    "Batches and steps",
    difficulty=1,
    minutes=5,
    hint="""60,000 / 128 is a little less than 469. What happens to the samples that are left
    over?""",
    solution="""
        counts = {"batches": 469, "last batch": 96, "steps": 4690, "steps with drop_last": 4680}
    """,
    right="With `drop_last`, an epoch skips 96 samples, and if you shuffle, it is a different 96 "
    "each time.",
)
def check_counts(counts):
    expect(
        counts["batches"] != 468,
        "468 batches of 128 are 59,904 samples. You skip the other 96, which are a batch as well.",
    )
    expect(counts["steps"] != 469, "`steps`: that is one epoch, and there are 10.")
    expect(
        counts["steps with drop_last"] != 4690,
        "`steps with drop_last`: the last batch is not full, so it is left out of every epoch.",
    )
    why = {
        "batches": "`batches`: 60,000 / 128, rounded up.",
        "last batch": "`last batch`: it has the samples that 468 full batches leave.",
        "steps": "`steps`: one for each batch of each epoch.",
        "steps with drop_last": "`steps with drop_last`: 468 full batches in each of the 10 "
        "epochs.",
    }
    expect_entries(counts, dict(zip(why, (469, 96, 4690, 4680), strict=True)), why)


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
    expect_none_of(
        number,
        {
            "The means are 2 (of 3 samples) and 10 (of 1). You count all batches alike and get "
            "6.": 6,
            "You divide by the number of batches. Divide by the number of samples instead.": 8,
        },
    )
    expect(
        same(number, 4.0),
        f"For 2 (3 samples) and 10 (1 sample) you return {number:g}, and the mean is 4.",
    )
    expect(
        not alive, "The number is right, but you keep the graph of each batch alive. Use `item()`."
    )
    expect(
        not isinstance(value, library.Tensor),
        "`value()` should return a number, not a tensor.",
    )
    other = average_class()
    other.add(x * 1.0, 1)
    expect(
        same(other.value(), 2.0),
        "Two averages see each other's numbers, since they share them. Keep them in `self`.",
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
    hint="""`hasattr(part, "parameters")` tells you whether something has parameters. To find out
    whether a list already has this very parameter, compare with `is`, because `in` compares with
    `==`, and for tensors that is an operation.""",
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
    right="This is `nn.Sequential`. A shared layer that was listed twice would move twice in each "
    "step.",
)
def check_chain(chain_class):
    library = yours()
    one = Layer(library, [[2.0, 0.0], [0.0, 3.0]], [1.0, 1.0])
    two = Layer(library, [[1.0, 1.0]], [0.5])
    x = library.tensor([[1.0, -1.0]])
    chain = chain_class(one, lambda x: x.relu(), one, two)
    with error_means(
        "multiplied",
        "The shapes do not fit. Apply the parts in order, not from the last to the first.",
    ):
        out = chain(x)
    want = two(one(one(x).relu()))
    expect(
        same(out, want), "Your result differs from that of the parts, applied one after another."
    )
    by_value = (
        "Something compares tensors with `==` (`in` does that), which compares their numbers. `is` "
        "and `id` tell you whether it is the same tensor."
    )
    with (
        error_means("'function' object", "A plain function does not have parameters, so skip it."),
        error_means("ambiguous", by_value),
        error_means("must match", by_value),
    ):
        found = list(chain.parameters())
    wanted = {id(each) for layer in (one, two) for each in layer.parameters()}
    expect(
        len(found) == len({id(each) for each in found}),
        "The first layer is in the chain twice, and its parameters are twice in the list.",
    )
    listed = {id(each) for each in found}
    expect(
        not listed < wanted,
        "Some parameters are missing. The layers of this check are of another class: whatever has a"
        " method `parameters` is a layer, so test for that.",
    )
    expect(listed == wanted, "`parameters()` lists tensors other than these.")
    alike = Layer(library, [[2.0, 0.0], [0.0, 3.0]], [1.0, 1.0])
    equal = (
        "Two layers with equal numbers have four parameters. Comparing with `==`, as `in` does, "
        "takes them for the same two. `is` and `id` tell you whether it is the same tensor."
    )
    with error_means(RuntimeError, equal):
        expect(len(list(chain_class(one, alike).parameters())) == 4, equal)


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
        def fit_line(layer, x, y, lr, steps):
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
    right="Every network is trained by a loop like this one.",
)
def check_fit(fit_line):
    expect(
        not names_used(fit_line) & {"SGD", "optim"},
        "The page should be empty: neither `SGD` nor another helper. Write the step yourself.",
    )
    library = yours()
    x = library.tensor([[-1.0], [0.0], [1.0]])
    y = 3.0 * x + 1.0

    def fitted(steps, held=None):
        layer = Layer(library, [[0.0]], [0.0])
        leaves = layer.parameters()
        for parameter in layer.parameters():
            parameter.grad = None if held is None else held * parameter + held
            if held is not None:
                parameter.grad = parameter.grad.detach()
        with (
            error_means(
                "in-place",
                "The step is recorded, and a leaf that requires grad refuses that, so use "
                "`no_grad()`.",
            ),
            error_means(
                "NoneType",
                "A `.grad` is None. Either backward has not run, or `p = p - …` has put a tensor "
                "in the layer that is not a leaf. Change the leaves in place (chapter 05).",
            ),
        ):
            return fit_line(layer, x, y, 0.1, steps), layer, leaves

    losses, layer, leaves = fitted(3)
    want, weight, bias = line_losses(0.1, 3)
    expect(losses is not None and len(losses) == 3, "Return a list with one loss for each step.")
    expect(
        not any(isinstance(loss, library.Tensor) for loss in losses),
        "The losses are tensors, and each keeps its graph alive. Get their numbers with `item()`.",
    )
    expect(
        not same(losses, [want[0]] * 3),
        "The layer has not changed. `p = p - …` only gives the name `p` to a new tensor, so change "
        "the parameter in place.",
    )
    expect(not same(losses[0], 3 * want[0]), "Your loss is the sum of the squares, not their mean.")
    expect(losses[1] < losses[0], "The loss grows, so the step goes in the wrong direction.")
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
        "The first step is right, but the second goes too far, because the gradient of the first "
        "is never cleared.",
    )
    expect(
        all(now is leaf for now, leaf in zip(layer.parameters(), leaves, strict=True)),
        "The layer has new tensors now. An optimizer that holds the old ones would no longer train "
        "it, so change the parameters in place.",
    )
    expect(
        "data" not in names_used(fit_line),
        "`.data` writes behind autograd's back: no counter sees it (chapter 11). Use `no_grad()`.",
    )
    found = [layer.weight.item(), layer.bias.item()]
    expect(
        same(found, [weight, bias], 1e-4),
        "The losses are right, but the weights at the end are not.",
    )
    losses, *_ = fitted(2, held=100.0)
    expect(
        same(losses, want[:2], 1e-5),
        "You clear after the step, so the first gradient is added to what `.grad` held before. "
        "Clear before each backward.",
    )


@exercise(
    "16.5",
    "Grad-CAM",
    difficulty=2,
    minutes=15,
    hint="""Register the hook in a `with`, which removes it afterwards, and let it put the maps in a
    list. `torch.autograd.grad` computes a gradient without storing it in any leaf, and
    `mean((2, 3), keepdim=True)` is the mean over all places.""",
    solution="""
        def heat(network, picture, digit):
            kept = []
            with network.maps.register_forward_hook(lambda _, inputs, maps: kept.append(maps)):
                logit = network(picture)[0, digit]
            (gradient,) = torch.autograd.grad(logit, kept)
            weights = gradient.mean((2, 3), keepdim=True)
            return (weights * kept[0]).sum(1)[0].relu().detach().numpy()
    """,
    right="For a ResNet it is the same, with the hook on the last block of convolutions.",
)
def check_heat(heat):
    class Looking(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.maps = torch.nn.Conv2d(1, 3, 3, padding=1)
            self.scores = torch.nn.Linear(3, 4)

        def forward(self, picture):
            return self.scores(self.maps(picture).tanh().mean((2, 3)))

    torch.manual_seed(4)
    network, picture = Looking(), torch.randn(1, 1, 3, 5)
    maps = network.maps(picture).detach().requires_grad_()

    def expected(digit):
        logit = network.scores(maps.tanh().mean((2, 3)))[0, digit]
        (gradient,) = torch.autograd.grad(logit, maps)
        return (gradient.mean((2, 3), keepdim=True) * maps).sum(1)[0].detach(), gradient

    found = heat(network, picture, 1)
    want, gradient = expected(1)
    expect(
        not isinstance(found, torch.Tensor),
        "Return a NumPy array: `detach().numpy()`.",
    )
    expect(
        np.shape(found) == (3, 5),
        f"The heat should have the shape of the picture, (3, 5), but yours has {np.shape(found)}.",
    )
    expect(
        not same(found, want, 1e-5),
        "The heat has negative numbers, at places that speak against the digit. Use `relu`.",
    )
    everywhere = (gradient * maps).sum(1)[0].relu().detach()
    expect(
        not same(found, everywhere, 1e-5),
        "You multiply each place by its own gradient. Grad-CAM gives each map a single weight, "
        "which is the mean of its gradient over all places.",
    )
    expect(
        not same(found, heat(network, picture, 2)),
        "The heat is the same for two digits, so start backward at the logit of `digit` alone.",
    )
    expect(same(found, want.relu(), 1e-5), "The heat differs from that of the formula in the text.")
    expect(
        not network.maps._forward_hooks,
        "The heat is right, but your hook is still registered. Remove it, or use a `with`.",
    )
    expect(
        all(each.grad is None for each in network.parameters()),
        "The heat is right, but the weights have a `.grad` now, to which the next training step "
        "would add. `torch.autograd.grad` leaves them alone.",
    )


def written_styles(order, size=64, style_rate=1.0, clear=(True, True), step_each=True):
    """The styles and the weight of 16.6 after an epoch, by hand."""
    styles, weight, target = writer_start()
    sums = [np.zeros_like(styles), np.zeros_like(weight)]
    for start in range(0, len(order), size):
        batch = order[start : start + size]
        sums = [
            np.zeros_like(each) if cleared else each
            for each, cleared in zip(sums, clear, strict=True)
        ]
        off = 2 * (styles[batch] @ weight - target[batch]) / len(batch)
        np.add.at(sums[0], batch, off @ weight.T)
        sums[1] = sums[1] + styles[batch].T @ off
        if step_each or start + size >= len(order):
            styles = styles - style_rate * sums[0]
            weight = weight - 0.2 * sums[1]
    return styles, weight


def writer_start():
    """The styles, the weight and the targets with which 16.6 is checked."""
    random = np.random.RandomState(2)
    return random.standard_normal((150, 2)), np.array([[1.0], [0.5]]), random.uniform(size=(150, 1))


@exercise(
    "16.6",
    "An epoch of the writer",
    difficulty=2,
    minutes=15,
    hint="""Two optimizers, one for each rate. For each batch, both clear, and after backward both
    step.""",
    solution="""
        def epoch(loss_of, styles, weights, order):
            optimizers = SGD([styles], lr=1.0), SGD(weights, lr=0.2)
            for batch in batches(order, 64):
                for optimizer in optimizers:
                    optimizer.zero_grad()
                loss_of(batch).backward()
                for optimizer in optimizers:
                    optimizer.step()
    """,
    right="Word embeddings learn like this: only the rows in a batch get a gradient that is not 0.",
)
def check_epoch(epoch):
    library = yours()
    styles, weight, target = writer_start()
    styles, weight = (library.tensor(each, requires_grad=True) for each in (styles, weight))
    order = np.random.RandomState(3).permutation(150)

    def loss_of(batch):
        return ((styles[batch] @ weight - library.tensor(target[batch])) ** 2).sum() / len(batch)

    before = [each.detach().clone() for each in (styles, weight)]
    with error_means(
        "in-place",
        "The step is recorded, and a leaf refuses that, which is why `SGD` steps inside `no_grad`.",
    ):
        epoch(loss_of, styles, [weight], order)
    found = [each.detach().numpy() for each in (styles, weight)]

    def is_like(wanted):
        return all(same(got, want) for got, want in zip(found, wanted, strict=True))

    expect(
        not same(styles.detach(), before[0]),
        "The styles have not moved. They are a leaf like the weights, so they need an optimizer.",
    )
    expect(
        not same(weight.detach(), before[1]),
        "The weights have not moved, because they need an optimizer as well.",
    )
    expect(
        not is_like(written_styles(order, style_rate=0.2)),
        "The styles move with the rate of the weights. Theirs is 1.0, so use a second `SGD`.",
    )
    expect(
        not any(is_like(written_styles(order, clear=(False, kept))) for kept in (True, False)),
        "The gradients of earlier batches are still there, so their styles move again and again. "
        "Clear before each backward.",
    )
    expect(
        not is_like(written_styles(order, clear=(True, False))),
        "The gradients of earlier batches are added up in the weights, so clear them as well.",
    )
    expect(
        not is_like(written_styles(order, clear=(False, False), step_each=False)),
        "You add up the gradients of all batches and take one step at the end. Take a step for "
        "each batch.",
    )
    expect(
        not is_like(written_styles(order[:128])),
        "The last batch is missing. It has fewer than 64 pictures, but it counts as well.",
    )
    expect(
        not is_like(written_styles(order, size=150)),
        "That is one step for all pictures. Take a step for each batch of 64.",
    )
    expect(
        not is_like(written_styles(np.arange(150))),
        "You take the pictures by their row numbers. Take them in the given `order`.",
    )
    expect(is_like(written_styles(order)), "The styles and weights differ after one epoch.")
