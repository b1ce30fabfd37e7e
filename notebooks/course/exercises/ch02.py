"""What 02_tensors asks: memory, the flag, a record by hand; and a tensor class of one's own."""

from typing import Any

import numpy as np

from course.declare import Mistake, exercise, expect, prediction, same
from course.reader import running

prediction(
    "02.e",
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
    "02.a",
    "`copied = tensor(prices)`, `shared = new_tensor(prices)`, then `prices[0] = 100.0`. Which of "
    "the two tensors changes?",
    {
        "both": "`copied` has an array of its own: `to_array` made it.",
        "only `copied`": "The other way round: `tensor` is the one that copies.",
        "only `shared`": "`new_tensor` put the tensor around the very array that changed.",
        "neither": "It would be so if both copied, but `new_tensor` does not.",
    },
    answer="only `shared`",
    shown="tensor([1., 2., 3.], dtype=torch.float64)\ntensor([100.,   2.,   3.]",
)

prediction(
    "02.d",
    "`w` requires grad, and `data = tensor([1.0, 4.0])` does not. Which of them is a leaf, and "
    "what is `w.grad`?",
    {
        "`w`; zeros": "`grad` starts as None, not as zeros. And no operation made `data`, so it is "
        "a leaf as well.",
        "`w`; None": "`grad` is None. But no operation made `data`, so it is a leaf as well.",
        "both; zeros": "Both are leaves. But the flag computes nothing, so `grad` is None.",
        "both; None": "No operation made them, and no backward has brought a gradient.",
    },
    answer="both; None",
    shown="True True None None\nFalse True None None",
)


@exercise(
    "02.1",
    "A tensor to train",
    difficulty=1,
    minutes=4,
    hint="`tensor` copies, and takes `dtype` and `requires_grad`. `mine.float32` is a dtype.",
    solution="""
        def trainable(values):
            return tensor(values, dtype=mine.float32, requires_grad=True)
    """,
    wrong={
        "integers cannot require grad": """
            def trainable(values):
                return tensor(values, requires_grad=True)
        """,
        "does not require grad": """
            def trainable(values):
                return tensor(values, dtype=mine.float32)
        """,
        "torch.float64": """
            def trainable(values):
                return tensor(np.array(values, float), requires_grad=True)
        """,
        "the library is called `mine`": """
            def trainable(values):
                return tensor(values, dtype=torch.float32, requires_grad=True)
        """,
        "wants one of our dtypes": """
            def trainable(values):
                return tensor(values, dtype=np.float32, requires_grad=True)
        """,
        "changed with the array": """
            def trainable(values):
                return new_tensor(np.asarray(values, np.float32), requires_grad=True)
        """,
    },
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
            raise Mistake("Here the library is called `mine`: write `mine.float32`.") from None
        except AttributeError as error:
            if "numpy" not in str(error):
                raise
            raise Mistake("`dtype=` wants one of our dtypes, such as `mine.float32`.") from None
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
    wrong={
        "is the function to write": """
            def share(array, requires_grad=False):
                return mine.from_numpy(array).requires_grad_(requires_grad)
        """,
        "has a copy": """
            def share(array, requires_grad=False):
                return tensor(array, requires_grad=requires_grad)
        """,
        "checks nothing": """
            def share(array, requires_grad=False):
                return new_tensor(array, requires_grad)
        """,
        "flag was asked for": """
            def share(array, requires_grad=False):
                return new_tensor(array)
        """,
        "nobody asked": """
            def share(array, requires_grad=False):
                made = new_tensor(array)
                made.requires_grad = True
                return made
        """,
        "a copy, because": """
            def share(array, requires_grad=False):
                made = new_tensor(np.asarray(array, np.float64))
                made.requires_grad = requires_grad
                return made
        """,
    },
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
    try:
        share(np.array([1, 2]), requires_grad=True)
    except RuntimeError:
        return
    raise Mistake("Yours lets integers require grad: `new_tensor` checks nothing.")


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
    wrong={
        "the slopes of a product": """
            def plus(a, b):
                out = new_tensor(np.asarray(a._data + b._data))
                if a.requires_grad or b.requires_grad:
                    out._node, out._requires_grad = MulBackward0(a, b), True
                return out
        """,
        "there is no record": """
            def plus(a, b):
                return new_tensor(np.asarray(a._data + b._data))
        """,
        "Only one of the two": """
            class AddBackward0:
                def __init__(self, a):
                    self.made_from = [(a, np.ones_like(a._data))]


            def plus(a, b):
                out = new_tensor(np.asarray(a._data + b._data))
                if a.requires_grad or b.requires_grad:
                    out._node, out._requires_grad = AddBackward0(a), True
                return out
        """,
        "the values are those of": """
            def plus(a, b):
                return times(a, b)
        """,
        "neither of the two requires grad": """
            class AddBackward0:
                def __init__(self, a, b):
                    self.made_from = [(a, 1), (b, 1)]


            def plus(a, b):
                out = new_tensor(np.asarray(a._data + b._data))
                out._node, out._requires_grad = AddBackward0(a, b), True
                return out
        """,
        "says that it requires grad": """
            class AddBackward0:
                def __init__(self, a, b):
                    self.made_from = [(a, 1), (b, 1)]


            def plus(a, b):
                out = new_tensor(np.asarray(a._data + b._data))
                if a.requires_grad or b.requires_grad:
                    out._node = AddBackward0(a, b)
                return out
        """,
    },
    right="A sum needs no values for its backward. Chapter 03 makes use of that.",
)
def check_plus(plus: Any) -> None:
    page = running()
    tensor, times, go_back = page["tensor"], page["times"], page["go_back"]
    a = tensor([1.0, 2.0, 4.0], requires_grad=True)
    b = tensor([10.0, 20.0, 40.0], requires_grad=True)
    ones = np.ones(3, np.float32)
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


@exercise(
    "02.4",
    "On an empty page",
    difficulty=3,
    minutes=15,
    hint="`np.array(values)` copies. A flag that is checked at the start and later: let `__init__` "
    "assign to the property. The dtype kind of floats is `'f'`: `array.dtype.kind`.",
    solution="""
        class MyTensor:
            grad = grad_fn = None
            is_leaf = True

            def __init__(self, values, requires_grad):
                self.numbers = np.array(values)
                self.shape = self.numbers.shape
                self.requires_grad = requires_grad

            @property
            def requires_grad(self):
                return self.flag

            @requires_grad.setter
            def requires_grad(self, value):
                if value and self.numbers.dtype.kind != "f":
                    raise RuntimeError("only floats can require gradients")
                self.flag = value

            def item(self):
                if self.numbers.size != 1:
                    raise RuntimeError("more than one element")
                return self.numbers.item()


        def my_tensor(values, requires_grad=False):
            return MyTensor(values, requires_grad)
    """,
    wrong={
        "the chapter's `Tensor`": """
            def my_tensor(values, requires_grad=False):
                return tensor(values, requires_grad=requires_grad)
        """,
        "a library's tensor": """
            def my_tensor(values, requires_grad=False):
                import minigrad

                return minigrad.tensor(values, requires_grad=requires_grad)
        """,
        "changed with the array": """
            class MyTensor:
                grad, grad_fn, is_leaf = None, None, True

                def __init__(self, values, requires_grad):
                    self.values = np.asarray(values)
                    self.shape, self.flag = self.values.shape, requires_grad

                def item(self):
                    return self.values.item()


            def my_tensor(values, requires_grad=False):
                return MyTensor(values, requires_grad)
        """,
        "set later": """
            class MyTensor:
                grad, grad_fn, is_leaf = None, None, True

                def __init__(self, values, requires_grad):
                    self.values = np.array(values)
                    if requires_grad and self.values.dtype.kind != "f":
                        raise RuntimeError("only floats")
                    self.shape, self.requires_grad = self.values.shape, requires_grad

                def item(self):
                    if self.values.size != 1:
                        raise RuntimeError("many")
                    return self.values.item()


            def my_tensor(values, requires_grad=False):
                return MyTensor(values, requires_grad)
        """,
        "from the start": """
            class MyTensor:
                grad, grad_fn, is_leaf = None, None, True

                def __init__(self, values, requires_grad):
                    self.values, self.flag = np.array(values), requires_grad
                    self.shape = self.values.shape

                @property
                def requires_grad(self):
                    return self.flag

                @requires_grad.setter
                def requires_grad(self, value):
                    if value and self.values.dtype.kind != "f":
                        raise RuntimeError("only floats")
                    self.flag = value

                def item(self):
                    if self.values.size != 1:
                        raise RuntimeError("many")
                    return self.values.item()


            def my_tensor(values, requires_grad=False):
                return MyTensor(values, requires_grad)
        """,
        "`grad` is missing": """
            class MyTensor:
                def __init__(self, values, requires_grad):
                    self.values, self.requires_grad = np.array(values), requires_grad
                    self.shape = self.values.shape

                def item(self):
                    return self.values.item()


            def my_tensor(values, requires_grad=False):
                return MyTensor(values, requires_grad)
        """,
        "Floats come in several sizes": """
            class MyTensor:
                grad, grad_fn, is_leaf = None, None, True

                def __init__(self, values, requires_grad):
                    self.values, self.requires_grad = np.array(values), requires_grad
                    self.shape = self.values.shape
                    if requires_grad and self.values.dtype != np.float32:
                        raise RuntimeError("only floats")

                def item(self):
                    return self.values.item()


            def my_tensor(values, requires_grad=False):
                return MyTensor(values, requires_grad)
        """,
        "so it is a leaf, flag or not": """
            class MyTensor:
                grad, grad_fn = None, None

                def __init__(self, values, requires_grad):
                    self.values, self.requires_grad = np.array(values), requires_grad
                    self.shape, self.is_leaf = self.values.shape, requires_grad

                def item(self):
                    return self.values.item()


            def my_tensor(values, requires_grad=False):
                return MyTensor(values, requires_grad)
        """,
        "`item()` of two elements": """
            class MyTensor:
                grad, grad_fn, is_leaf = None, None, True

                def __init__(self, values, requires_grad):
                    self.values, self.requires_grad = np.array(values), requires_grad
                    self.shape = self.values.shape

                def item(self):
                    return self.values.flat[0].item()


            def my_tensor(values, requires_grad=False):
                return MyTensor(values, requires_grad)
        """,
    },
    right="An array, a flag with a guard, and two empty places: that is all a tensor is so far.",
)
def check_my_tensor(my_tensor: Any) -> None:
    plain = my_tensor([[1.0, 2.0], [3.0, 4.0]])
    # The notebook's `Tensor` may be the answer's own by now; that of `mine` is the chapter's.
    built = getattr(running().get("mine"), "Tensor", ())
    expect(not isinstance(plain, built), "That is the chapter's `Tensor`. Write your own class.")
    expect(
        type(plain).__module__.partition(".")[0] not in ("minigrad", "torch", "course"),
        "That is a library's tensor. Write your own class.",
    )
    for name in ("shape", "item", "grad", "grad_fn", "is_leaf"):
        expect(hasattr(plain, name), f"`{name}` is missing.")
    if refuses(lambda: my_tensor(5.0, requires_grad=True)):
        raise Mistake("5.0 may require grad, and yours raised. Floats come in several sizes.")
    wanting = my_tensor(5.0, requires_grad=True)
    array = np.array([5.0])
    made = my_tensor(array)
    array[0] = 9.0
    expect(made.item() == 5.0, "Yours changed with the array; keep a copy.")
    expect(hasattr(plain, "requires_grad"), "`requires_grad` is missing.")
    shapes = [tuple(each.shape) for each in (plain, wanting, made)]
    expect(shapes == [(2, 2), (), (1,)], f"Shapes (2, 2), () and (1,), and yours are {shapes}.")
    expect(wanting.requires_grad is True, "`my_tensor(5.0, requires_grad=True)` does not say so.")
    expect(plain.requires_grad is False, "Yours requires grad although nobody asked for it.")
    for each in (plain, wanting):
        expect(each.grad is None and each.grad_fn is None, "`grad` and `grad_fn` start as None.")
        expect(each.is_leaf is True, "No operation made it, so it is a leaf, flag or not.")
    if not refuses(lambda: my_tensor([1.0, 2.0]).item()):
        raise Mistake("`item()` of two elements must raise RuntimeError.")
    if not refuses(lambda: my_tensor([1, 2], requires_grad=True)):
        raise Mistake("Integers required grad from the start, and nothing was raised.")
    whole = my_tensor([1, 2])
    if not refuses(lambda: setattr(whole, "requires_grad", True)):
        raise Mistake("The flag of integers was set later, and nothing was raised.")
    expect(whole.requires_grad is False, "Yours raised, but the flag is on all the same.")
    plain.requires_grad = True
    expect(plain.requires_grad is True, "Floats may get the flag later, and yours did not.")


def refuses(action: Any) -> bool:
    """Whether `action` raises RuntimeError."""
    try:
        action()
    except RuntimeError:
        return True
    except ValueError as error:  # NumPy's own, for `item` of an array with several elements
        raise Mistake(f"A RuntimeError was asked for, not `{error!r}`.") from None
    return False
