"""What 02_tensors asks: memory, the flag, a record by hand, and your own tensor class."""

from typing import Any

import numpy as np

from minigrad_course.ask.declare import (
    error_means,
    exercise,
    expect,
    names_used,
    prediction,
    refuses,
    same,
)
from minigrad_course.kernel.reader import notebook_names

OF_THAT_TYPE = (
    "You refuse it, but the error should be a RuntimeError, as in PyTorch. Yours says: {error}"
)

prediction(
    "02.a",
    "`w.grad` should be the sum of the batches [1, 2] and [50, 4]. What does the program print "
    "in its last line?",
    {
        "tensor([51., 6.])": "That is the right gradient. But each loss would need its own batch "
        "for it, and there is only one buffer.",
        "tensor([100., 8.])": "Both backward passes run after the loop, when the buffer holds the "
        "second batch, so it counts twice.",
        "tensor([50., 4.])": "Gradients add up over the two calls, so this would be the second "
        "batch once.",
        "nothing: it raises an error": "PyTorch notices writes to a tensor. Does it see what "
        "NumPy writes to the buffer?",
    },
    answer="tensor([100., 8.])",
    shown="tensor([100.,   8.])",
)

prediction(
    "02.b",
    "`first = tensor(prices)`, `second = new_tensor(prices)` and `third = "
    "new_tensor(second._data)`. Then `prices[0] = 100.0`. Which of the three tensors change?",
    {
        "none of them": "That would be true if both functions copied, but `new_tensor` does not.",
        "only `second`": "`second._data` is the array `prices` itself, and `third` is made from it "
        "without a copy.",
        "`second` and `third`": "`new_tensor` puts a tensor around the very array that it gets, "
        "while `tensor` copies.",
        "all three": "`first` has an array of its own, because `tensor` made a copy.",
    },
    answer="`second` and `third`",
    shown="[1. 2. 3.] [100.   2.   3.] [100.   2.   3.]",
)

prediction(
    "02.c",
    "In each loss, `x` shares the buffer, and `w` requires grad. Refilling the buffer before "
    "`backward()` changes the gradient of `w * x`. For which of the other "
    "losses does it change?",
    {
        "`F.linear(x, w)`, and all products": "In `w * x.exp()` and `w * x.double()`, the product "
        "does not see the buffer at all, but a new array.",
        "`(w * x).exp()` and `F.linear(x, w)`": "Those two keep the buffer, but there is another. "
        "What does `w.double() * x` save, the converted `x` or `x`?",
        "`(w * x).exp()`, `F.linear(x, w)` and `w.double() * x`": "In all three, a record keeps "
        "`x` itself, and `x` is the buffer.",
        "`F.linear(x, w)` alone": "In `(w * x).exp()` the product inside is still recorded, and "
        "its record keeps `x`.",
    },
    answer="`(w * x).exp()`, `F.linear(x, w)` and `w.double() * x`",
    shown="w.double() * x  [1.0, 2.0] [50.0, 4.0]",
)

prediction(
    "02.d",
    "`w` requires grad, `data` does not. `plain = times(data, data)`, `recorded = times(w, data)`. "
    "Which of the four tensors are leaves?",
    {
        "`w`": "`w` is the only leaf that gets a gradient, but a leaf does not have to require "
        "grad.",
        "`w` and `data`": "No operation computed them, so they are leaves. But was the product "
        "`plain` recorded?",
        "`w`, `data` and `plain`": "`plain` was computed, but not recorded, because its inputs do "
        "not require grad.",
        "all four": "`recorded` has a record, because `w` requires grad.",
    },
    answer="`w`, `data` and `plain`",
    shown="are leaves:    True True True False",
)


@exercise(
    "02.1",
    "A tensor to train",
    difficulty=1,
    minutes=4,
    hint="`tensor` copies, and it has the arguments `dtype` and `requires_grad`. The dtype to use "
    "is `float32`.",
    solution="""
        def trainable(values):
            return tensor(values, dtype=float32, requires_grad=True)
    """,
    right="A dtype, memory of its own, and the flag: there is no more to a model's parameter than "
    "that.",
)
def check_trainable(trainable: Any) -> None:
    array = np.array([0.5, 1.5, 2.5], np.float32)
    for values in ([1.0, 2.0], [3, 4], np.array([5, 6]), np.array([0.1, 0.2]), array):
        with (
            error_means(
                "floating point",
                f"`{values!r}` makes a tensor of integers, which cannot require grad, so say which "
                "dtype you want.",
            ),
            error_means(
                "'torch' is not",
                "There is no `torch` on this page, so write `float32`, without a prefix.",
            ),
            error_means(
                "numpy",
                "That is NumPy's dtype, but `tensor` takes the library's, such as `float32`.",
                AttributeError,
            ),
        ):
            made = trainable(values)
        expect(
            type(made).__module__.partition(".")[0] not in ("minigrad", "torch"),
            "That tensor is from another library. Call the `tensor` of this page.",
        )
        expect(hasattr(made, "requires_grad"), f"Return a tensor, not `{type(made).__name__}`.")
        expect(made.requires_grad, "Your tensor does not require grad.")
        expect(
            made.is_leaf,
            "Your tensor is the result of an operation, so it would never keep a gradient. Set the "
            "flag on the tensor that you return.",
        )
        expect(
            str(made.dtype) == "torch.float32",
            f"From `{values!r}` you made a `{made.dtype}` tensor instead of `torch.float32`.",
        )
        expect(
            same(made._data, np.asarray(values, np.float32)),
            f"From `{values!r}` you made a tensor with other numbers.",
        )
        if values is array:
            array[0] = 9.0
            expect(
                made._data[0] == 0.5,
                "Your tensor changed when the array did, because they share memory.",
            )


@exercise(
    "02.2",
    "On shared memory",
    difficulty=2,
    minutes=6,
    hint="`new_tensor` copies nothing, but it does not check anything, either. The flag is checked "
    "when you assign to the property `requires_grad`.",
    solution="""
        def share(array, requires_grad=False):
            made = new_tensor(array)
            made.requires_grad = requires_grad
            return made
    """,
    right="In PyTorch you write this as `torch.from_numpy(array).requires_grad_()`.",
)
def check_share(share: Any) -> None:
    for ready in ("from_numpy", "as_tensor"):
        expect(
            ready not in names_used(share),
            f"`{ready}` does what you are asked to write. Begin with `new_tensor`.",
        )
    array = np.array([4.0, 5.0, 6.0])
    made = share(array)
    expect(hasattr(made, "_data"), f"Return a tensor, not `{type(made).__name__}`.")
    expect(
        not made.requires_grad,
        "Your tensor requires grad by default, but the flag should be off unless it is set.",
    )
    array[1] = 50.0
    expect(
        made._data[1] == 50.0,
        "Your tensor holds a copy: it didn't change when the array did.",
    )
    expect(
        share(array, requires_grad=True).requires_grad,
        "With `requires_grad=True`, the flag is still off.",
    )
    for kind in (np.float32, np.int64):
        other = np.array([1, 2], kind)
        expect(
            not refuses(lambda other=other: share(other)),
            "Integers may share their memory, too, as long as they do not require grad.",
        )
        made = share(other)
        expect(
            np.shares_memory(made._data, other),
            f"From a {other.dtype} array, your function makes a copy, because it changes the "
            "dtype.",
        )
    for kind in (np.int64, np.int32, bool):
        whole = np.array([1, 0], kind)
        with error_means((TypeError, ValueError), OF_THAT_TYPE):
            refused = refuses(lambda whole=whole: share(whole, requires_grad=True))
        expect(
            refused,
            f"Your function lets an array of {whole.dtype} require grad, although only floats may; "
            "`new_tensor` does not check the flag.",
        )


@exercise(
    "02.3",
    "A sum by hand",
    difficulty=1,
    minutes=6,
    hint="The sum moves exactly as far as each of its inputs, so both slopes are arrays of ones. "
    "Record only if `a.requires_grad or b.requires_grad`.",
    solution="""
        class AddBackward0:
            def __init__(self, a, b):
                ones = np.ones_like(a._data)
                self.made_from = [(a, ones), (b, ones)]


        def plus(a, b):
            wanted = a.requires_grad or b.requires_grad
            out = new_tensor(np.asarray(a._data + b._data), wanted)
            if wanted:
                out._node = AddBackward0(a, b)
            return out
    """,
    right="A sum needs none of its values for backward, and chapter 03 makes use of that.",
)
def check_plus(plus: Any) -> None:
    page = notebook_names()
    tensor, times, go_back = page["tensor"], page["times"], page["go_back"]
    a = tensor([1.0, 2.0, 4.0], requires_grad=True)
    b = tensor([10.0, 20.0, 40.0], requires_grad=True)
    ones = np.ones(3, np.float32)
    with (
        error_means(
            "unsupported operand", "`Tensor` does not have a `+` yet, so add the arrays, `_data`."
        ),
        error_means(
            "positional argument",
            "`mine` cannot record a sum before chapter 03, so add the arrays, `_data`, and make "
            "the record yourself.",
        ),
        error_means(
            "leaf variables",
            "The flag of a tensor with a record cannot be set, so set it when you make the tensor, "
            "as `times` does.",
        ),
    ):
        out = plus(a, b)
    expect(hasattr(out, "_data"), f"Return a tensor, not `{type(out).__name__}`.")
    expect(
        out._node is None or hasattr(out._node, "made_from"),
        "`go_back` looks for the pairs in the attribute `made_from` of the record, and yours, a "
        f"`{type(out._node).__name__}`, has none. Make it an object, as `times` does.",
    )
    expect(
        same(a._data, [1.0, 2.0, 4.0]) and same(b._data, [10.0, 20.0, 40.0]),
        "Your sum overwrites the numbers of an input. Put it in a new array.",
    )
    expect(not same(out._data, times(a, b)._data), "Your values are those of a product.")
    expect(
        same(out._data, [11.0, 22.0, 44.0]), f"The sum should be [11, 22, 44], and yours is {out}."
    )
    expect(out.grad_fn is not None, "The values are right, but there is no record in `_node`.")
    expect(
        out.requires_grad,
        "A result that has a record requires grad, but the flag of your result is off.",
    )
    go_back(out, ones)
    expect(
        not same(a.grad, b._data),
        "Those are the slopes of a product, whereas the slopes of a sum are 1.",
    )
    expect(b.grad is not None, "Only one of the two inputs gets a gradient.")
    expect(same(a.grad, ones) and same(b.grad, ones), "Both gradients should be 1 here.")
    a.grad = b.grad = None
    go_back(times(plus(a, b), plus(a, a)), ones)
    expect(
        same(a.grad, [24.0, 48.0, 96.0]) and same(b.grad, [2.0, 4.0, 8.0]),
        "For `(a + b) * (a + a)` your record leads to wrong gradients.",
    )
    plain = tensor([1.0, 2.0])
    expect(
        plus(plain, plain).grad_fn is None,
        "If neither of the two requires grad, the sum should have no record.",
    )
    c = tensor([1.0, 2.0], requires_grad=True)
    for which, (first, second) in (("first", (c, plain)), ("second", (plain, c))):
        c.grad = None
        out = plus(first, second)
        expect(
            out.grad_fn is not None,
            f"If only the {which} input requires grad, your sum has no record.",
        )
        go_back(out, np.ones(2))
        expect(
            c.grad is not None and same(c.grad, np.ones(2)),
            f"If only the {which} input requires grad, it should get a gradient of 1.",
        )


@exercise(
    "02.4",
    "On an empty page",
    difficulty=3,
    minutes=20,
    hint="Write a class with `numbers`, `requires_grad`, `grad` and `grad_fn`. `np.array(values)` "
    "copies, and `array.dtype.kind` is `'f'` for floats. A record can be a list of pairs, and "
    "`backward` does what `go_back` does.",
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
                    self.grad = grad.copy() if self.grad is None else self.grad + grad


        def my_tensor(values, requires_grad=False):
            return MyTensor(np.array(values), requires_grad)
    """,
    right="An array, a flag with a guard, and one record for all numbers: that is a tensor.",
)
def check_my_tensor(my_tensor: Any) -> None:
    plain = my_tensor([[1.0, 2.0], [3.0, 4.0]])
    # The answer may have replaced the notebook's `Tensor`; `mine` still has the chapter's.
    built = getattr(notebook_names().get("mine"), "Tensor", ())
    expect(
        not isinstance(plain, built), "That is the `Tensor` of the page. Write a class of your own."
    )
    expect(
        type(plain).__module__.partition(".")[0] not in ("minigrad", "torch", "minigrad_course"),
        "That is a tensor from a library. Write a class of your own.",
    )
    for name in ("numbers", "requires_grad", "grad", "grad_fn", "is_leaf", "backward"):
        expect(hasattr(plain, name), f"Your object has no `{name}`.")
    kept = plain.numbers
    expect(
        isinstance(kept, np.ndarray) and same(kept, [[1.0, 2.0], [3.0, 4.0]]),
        f"`numbers` should be the array, and yours is {kept!r}.",
    )
    array = np.array([5.0])
    made = my_tensor(array)
    array[0] = 9.0
    expect(made.numbers[0] == 5.0, "Your tensor changed when the array did, so keep a copy.")
    for kind in (np.float32, np.float64):
        expect(
            not refuses(lambda kind=kind: my_tensor(np.ones(2, kind), requires_grad=True)),
            "Your class refuses floats of one size, but `float32` and `float64` may both require "
            "grad.",
        )
    for whole in ([1, 2], np.array([1, 2], np.int32), [True, False]):
        with error_means((TypeError, ValueError), OF_THAT_TYPE):
            refused = refuses(lambda whole=whole: my_tensor(whole, requires_grad=True))
        expect(
            refused,
            f"Your class lets {np.array(whole).dtype} require grad, although only floats may.",
        )
    x, data = my_tensor([2.0, 3.0], requires_grad=True), my_tensor([10.0, 100.0])
    for each, flag in ((x, True), (data, False)):
        expect(
            each.requires_grad is flag,
            f"With `requires_grad={flag}`, your tensor says {each.requires_grad}.",
        )
        expect(
            each.grad is None and each.grad_fn is None,
            "`grad` and `grad_fn` should be None in a new tensor.",
        )
        expect(
            each.is_leaf is True,
            "No operation computed this tensor, so it is a leaf, with the flag or without it.",
        )
    unrecorded = data * data
    expect(same(unrecorded.numbers, [100.0, 10000.0]), "The numbers of your product are wrong.")
    expect(
        unrecorded.grad_fn is None and not unrecorded.requires_grad,
        "If neither factor requires grad, the product should have neither a record nor the flag.",
    )
    for z in (x * data, data * x):
        expect(
            z.grad_fn is not None and z.requires_grad,
            "If only one factor requires grad, the product should have a record, and the flag.",
        )
        expect(z.is_leaf is False, "A product that was recorded is not a leaf.")
        x.grad = None
        z.backward(np.ones(2))
        expect(
            not same(x.grad, [2.0, 3.0]),
            "The slope of `a * b` with respect to `a` is `b`, the other factor.",
        )
        expect(
            same(x.grad, [10.0, 100.0]),
            f"For `x * data` the gradient is `data`, and yours is {x.grad}.",
        )
        expect(data.grad is None, "`data` gets a gradient, although it does not require grad.")
        expect(z.grad is None, "`z` keeps a gradient, but only leaves should.")
    x.grad = None
    (x * x * data).backward(np.ones(2))
    expect(
        not same(x.grad, [20.0, 300.0]),
        "`x * x` has two paths to `x`, and their gradients are added.",
    )
    expect(
        same(x.grad, [40.0, 600.0]),
        f"For `x * x * data` the gradient is [40, 600], and yours is {x.grad}.",
    )
    x.grad, given = None, np.ones(2)
    x.backward(given)
    given[0] = 50.0
    expect(
        same(x.grad, [1.0, 1.0]),
        "After `x.backward(g)` the leaf's `grad` is the caller's array `g`, so whatever is written "
        "to one of them changes the other. Keep a copy.",
    )
