"""What 02_tensors asks: memory, the flag, a record by hand, and your own tensor class."""

from typing import Any

import numpy as np

from minigrad_course.ask.declare import (
    Mistake,
    error_means,
    exercise,
    expect,
    prediction,
    refuses,
    same,
)
from minigrad_course.kernel.reader import notebook_names

prediction(
    "02.a",
    "1,000 weights times 1,000 inputs, and the sum of the products, which begins as `Draft(0.0)`. "
    "How many tensors does the draft make?",
    {
        "1,000": "These are the weights alone. An input is a tensor as well, and so is every "
        "result.",
        "2,000": "These are the weights and the inputs. Every result is a tensor, too.",
        "4,001": "A weight, an input, a product and a new sum for each of 1,000, and the 0 at the "
        "start.",
    },
    answer="4,001",
    shown="4001 draft tensors",
)

prediction(
    "02.b",
    "`first = tensor(prices)`, `second = new_tensor(prices)` and `third = "
    "new_tensor(second._data)`. Then `prices[0] = 100.0`. Which of the three tensors change?",
    {
        "none of them": "It would be so if all of them copied. Which of the two functions calls "
        "`copy`?",
        "only `second`": "`second._data` is the array of `prices`, and `third` holds it, too.",
        "`second` and `third`": "`new_tensor` puts a tensor around the very array that changes. "
        "`tensor` calls `copy`.",
        "all three": "`first` has an array of its own: `copy` made it.",
    },
    answer="`second` and `third`",
    shown="tensor([1., 2., 3.], dtype=torch.float64)\ntensor([100.,   2.,   3.]",
)

prediction(
    "02.c",
    "`w` requires grad, `data` does not. `plain = times(data, data)`, `recorded = times(w, data)`. "
    "Which of the four tensors are leaves?",
    {
        "`w`": "It is the one that waits for a gradient. But a leaf is a tensor that no recorded "
        "operation produced, with the flag or without.",
        "`w` and `data`": "No operation produced them. What recorded the product `plain`?",
        "`w`, `data` and `plain`": "A product made `plain`, but no flag asked for a record.",
        "all four": "`recorded` has a record: `w` requires grad.",
    },
    answer="`w`, `data` and `plain`",
    shown="are leaves:    True True True False",
)


@exercise(
    "02.1",
    "A tensor to train",
    difficulty=1,
    minutes=4,
    hint="`tensor` copies, and takes `dtype` and `requires_grad`. `float32` is a dtype.",
    solution="""
        def trainable(values):
            return tensor(values, dtype=float32, requires_grad=True)
    """,
    right="One dtype, a memory of its own, and the flag: a parameter of a model is just that.",
)
def check_trainable(trainable: Any) -> None:
    array = np.array([0.5, 1.5, 2.5], np.float32)
    for values in ([1.0, 2.0], [3, 4], np.array([5, 6]), np.array([0.1, 0.2]), array):
        try:
            made = trainable(values)
        except RuntimeError as error:
            if "floating point" not in str(error):
                raise
            raise Mistake(f"`{values!r}`: integers cannot require grad. Name a dtype.") from None
        except NameError as error:
            if error.name != "torch":
                raise
            raise Mistake("Here the library is called `mine`, and the dtype `float32`.") from None
        except AttributeError as error:
            if "numpy" not in str(error):
                raise
            raise Mistake("`dtype=` wants one of our dtypes, such as `float32`.") from None
        expect(
            type(made).__module__.partition(".")[0] not in ("minigrad", "torch"),
            "That tensor is from a library. Call the `tensor` that you have built.",
        )
        expect(hasattr(made, "requires_grad"), f"Return a tensor, not `{type(made).__name__}`.")
        expect(made.requires_grad, "Your tensor does not require grad.")
        expect(
            str(made.dtype) == "torch.float32",
            f"From `{values!r}` you made a `{made.dtype}` tensor; `torch.float32` was asked for.",
        )
        expect(
            same(made._data, np.asarray(values, np.float32)), f"From `{values!r}`: wrong numbers."
        )
        if values is array:
            array[0] = 9.0
            expect(made._data[0] == 0.5, "Your tensor changed with the array: they share memory.")


@exercise(
    "02.3",
    "On somebody's memory",
    difficulty=2,
    minutes=6,
    hint="`new_tensor` copies nothing, and checks nothing either. Which line of this chapter "
    "checks the flag?",
    solution="""
        def share(array, requires_grad=False):
            made = new_tensor(array)
            made.requires_grad = requires_grad
            return made
    """,
    right="`torch.from_numpy(array).requires_grad_()` is these three lines.",
)
def check_share(share: Any) -> None:
    names = getattr(getattr(share, "__code__", None), "co_names", ())
    for ready in ("from_numpy", "as_tensor"):
        expect(ready not in names, f"`{ready}` is the function to write. Begin with `new_tensor`.")
    array = np.array([4.0, 5.0, 6.0])
    made = share(array)
    expect(hasattr(made, "_data"), f"Return a tensor, not `{type(made).__name__}`.")
    expect(not made.requires_grad, "Yours requires grad although nobody asked for it.")
    array[1] = 50.0
    expect(made._data[1] == 50.0, "Yours has a copy: a change of the array does not show.")
    expect(share(array, requires_grad=True).requires_grad, "The flag was asked for, and is not on.")
    for kind in (np.float32, np.int64):
        other = np.array([1, 2], kind)
        made = share(other)
        expect(
            np.shares_memory(made._data, other),
            f"Of a {other.dtype} array yours has a copy, because it changes the dtype.",
        )
    expect(
        refuses(lambda: share(np.array([1, 2]), requires_grad=True)),
        "Yours lets integers require grad: `new_tensor` checks nothing.",
    )


@exercise(
    "02.5",
    "A sum by hand",
    difficulty=1,
    minutes=6,
    hint="A sum moves as far as each of its inputs, so both slopes are 1: arrays of ones. Record "
    "only if `a.requires_grad or b.requires_grad`.",
    solution="""
        class AddBackward0:
            def __init__(self, a, b):
                ones = np.ones_like(a._data)
                self.made_from = [(a, ones), (b, ones)]


        def plus(a, b):
            out = new_tensor(np.asarray(a._data + b._data))
            if a.requires_grad or b.requires_grad:
                out._node, out._requires_grad = AddBackward0(a, b), True
            return out
    """,
    right="A sum needs no values for its backward. Chapter 03 makes use of that.",
)
def check_plus(plus: Any) -> None:
    page = notebook_names()
    tensor, times, go_back = page["tensor"], page["times"], page["go_back"]
    a = tensor([1.0, 2.0, 4.0], requires_grad=True)
    b = tensor([10.0, 20.0, 40.0], requires_grad=True)
    ones = np.ones(3, np.float32)
    with (
        error_means("unsupported operand", "`Tensor` has no `+` yet. Add the arrays, `_data`."),
        error_means(
            "positional argument",
            "`mine` has no sum that records before chapter 03. Add the arrays, `_data`, and "
            "leave the record yourself.",
        ),
        error_means(
            "leaf variables",
            "The property refuses the flag of a computed tensor. Write to `_requires_grad`, as "
            "`times` does.",
        ),
    ):
        out = plus(a, b)
    expect(hasattr(out, "_data"), f"Return a tensor, not `{type(out).__name__}`.")
    expect(not same(out._data, times(a, b)._data), "With `+`: the values are those of a product.")
    expect(same(out._data, [11.0, 22.0, 44.0]), f"The sum is [11, 22, 44], and yours is {out}.")
    expect(out.grad_fn is not None, "The values are right, but there is no record in `_node`.")
    expect(out.requires_grad, "A result with a record says that it requires grad.")
    go_back(out, ones)
    expect(not same(a.grad, b._data), "These are the slopes of a product. Those of a sum are 1.")
    expect(b.grad is not None, "Only one of the two has got a gradient.")
    expect(same(a.grad, ones) and same(b.grad, ones), "Each gradient of a sum is 1 here.")
    a.grad = b.grad = None
    go_back(times(plus(a, b), plus(a, a)), ones)
    expect(
        same(a.grad, [24.0, 48.0, 96.0]) and same(b.grad, [2.0, 4.0, 8.0]),
        "In `(a + b) * (a + a)` yours brings wrong gradients.",
    )
    plain = tensor([1.0, 2.0])
    expect(
        plus(plain, plain).grad_fn is None,
        "Here neither of the two requires grad, so the sum has no record.",
    )
    c = tensor([1.0, 2.0], requires_grad=True)
    for which, (first, second) in (("first", (c, plain)), ("second", (plain, c))):
        c.grad = None
        out = plus(first, second)
        expect(
            out.grad_fn is not None,
            f"Here only the {which} requires grad, and the sum has no record.",
        )
        go_back(out, np.ones(2))
        expect(
            c.grad is not None and same(c.grad, np.ones(2)),
            f"Here only the {which} requires grad, and its gradient of 1 does not arrive.",
        )


@exercise(
    "02.4",
    "On an empty page",
    difficulty=3,
    minutes=20,
    hint="A class with `numbers`, `requires_grad`, `grad` and `grad_fn`. `np.array(values)` "
    "copies. The dtype kind of floats is `'f'`: `array.dtype.kind`. A record can be a list of "
    "pairs, and `backward` does what `go_back` does.",
    solution="""
        class MyTensor:
            def __init__(self, numbers, requires_grad=False):
                if requires_grad and numbers.dtype.kind != "f":
                    raise RuntimeError("only floats can require gradients")
                self.numbers, self.requires_grad = numbers, requires_grad
                self.grad = self.grad_fn = None

            @property
            def is_leaf(self):
                return self.grad_fn is None

            def __mul__(self, other):
                out = MyTensor(self.numbers * other.numbers)
                if self.requires_grad or other.requires_grad:
                    out.grad_fn = [(self, other.numbers), (other, self.numbers)]
                    out.requires_grad = True
                return out

            def backward(self, grad):
                if self.grad_fn is not None:
                    for each, slope in self.grad_fn:
                        each.backward(grad * slope)
                elif self.requires_grad:
                    self.grad = grad if self.grad is None else self.grad + grad


        def my_tensor(values, requires_grad=False):
            return MyTensor(np.array(values), requires_grad)
    """,
    right="An array, a flag with a guard, and one record for all of its numbers.",
)
def check_my_tensor(my_tensor: Any) -> None:
    plain = my_tensor([[1.0, 2.0], [3.0, 4.0]])
    # The answer may have replaced the notebook's `Tensor`; `mine` still has the chapter's.
    built = getattr(notebook_names().get("mine"), "Tensor", ())
    expect(not isinstance(plain, built), "That is the chapter's `Tensor`. Write your own class.")
    expect(
        type(plain).__module__.partition(".")[0] not in ("minigrad", "torch", "minigrad_course"),
        "That is a library's tensor. Write your own class.",
    )
    for name in ("numbers", "requires_grad", "grad", "grad_fn", "is_leaf", "backward"):
        expect(hasattr(plain, name), f"`{name}` is missing.")
    kept = plain.numbers
    expect(
        isinstance(kept, np.ndarray) and same(kept, [[1.0, 2.0], [3.0, 4.0]]),
        f"`numbers` is the array, and yours is {kept!r}.",
    )
    array = np.array([5.0])
    made = my_tensor(array)
    array[0] = 9.0
    expect(made.numbers[0] == 5.0, "Yours changed with the array; keep a copy.")
    for kind in (np.float32, np.float64):
        if refuses(lambda kind=kind: my_tensor(np.ones(2, kind), requires_grad=True)):
            raise Mistake(
                "Floats may require grad, and yours raised. Floats come in several sizes."
            )
    if not refuses(lambda: my_tensor([1, 2], requires_grad=True)):
        raise Mistake("Integers required grad, and nothing was raised.")
    x, data = my_tensor([2.0, 3.0], requires_grad=True), my_tensor([10.0, 100.0])
    for each, flag in ((x, True), (data, False)):
        expect(each.requires_grad is flag, f"The flag was {flag}, and `requires_grad` differs.")
        expect(each.grad is None and each.grad_fn is None, "`grad` and `grad_fn` start as None.")
        expect(each.is_leaf is True, "No operation made it, so it is a leaf, flag or not.")
    unrecorded = data * data
    expect(same(unrecorded.numbers, [100.0, 10000.0]), "The product has wrong numbers.")
    expect(
        unrecorded.grad_fn is None and not unrecorded.requires_grad,
        "Where neither of the two requires grad, the product has no record and no flag.",
    )
    for z in (x * data, data * x):
        expect(
            z.grad_fn is not None and z.requires_grad,
            "Where only one of the two requires grad, the product has a record, and the flag.",
        )
        expect(z.is_leaf is False, "A recorded product is not a leaf.")
        x.grad = None
        z.backward(np.ones(2))
        expect(
            not same(x.grad, [2.0, 3.0]),
            "The slope of `a * b` towards `a` is `b`, the other factor.",
        )
        expect(same(x.grad, [10.0, 100.0]), f"Of `x * data` the gradient is `data`, not {x.grad}.")
        expect(data.grad is None, "`data` does not require grad, and it has got a gradient.")
        expect(z.grad is None, "Only leaves keep a gradient, and `z` has one.")
    x.grad = None
    (x * x * data).backward(np.ones(2))
    expect(
        not same(x.grad, [20.0, 300.0]),
        "`x * x` has two paths to `x`, and what they bring is added.",
    )
    expect(same(x.grad, [40.0, 600.0]), f"Of `x * x * data` it is [40, 600], not {x.grad}.")
