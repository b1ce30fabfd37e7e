"""What 02_tensors asks: memory, shapes, digits, the flag; and a tensor class of one's own."""

from typing import Any

import numpy as np

from course import yours
from course.declare import Mistake, exercise, expect, prediction, same
from course.reader import running

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
    "02.b",
    "What is the shape of `tensor(1.0)`?",
    {
        "torch.Size([1, 1])": "Document 001 says so, but that is the shape of `[[1.0]]`.",
        "torch.Size([1])": "That is the shape of `[1.0]`: one dimension, of length 1.",
        "torch.Size([])": "No brackets, no dimensions, so the list of lengths is empty.",
    },
    answer="torch.Size([])",
)

prediction(
    "02.c",
    '`x` is `tensor(0.6)`. What do `print(x)` and `print(f"{x}")` show?',
    {
        "both tensor(0.6000)": "The first does. An f-string asks the tensor to format itself, and "
        "a 0-d tensor does that as a number.",
        "tensor(0.6000), then 0.6000": "The f-string does show a bare number, but nothing rounds "
        "it to four digits.",
        "tensor(0.6000), then 0.6": "The f-string does show a bare number, but float32 cannot hold "
        "0.6 exactly, and here one sees it.",
        "tensor(0.6000), then 0.6000000238418579": "The same number, rounded for reading and then "
        "in full.",
    },
    answer="tensor(0.6000), then 0.6000000238418579",
    shown="tensor(0.6000)\n0.6000000238418579",
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
    "02.2",
    "Read what is printed",
    difficulty=2,
    minutes=8,
    hint="First look for `dtype=`. Without it there are three cases; the numbers tell which. Look "
    "only at them: the text goes on behind the numbers.",
    solution="""
        def printed_dtype(text):
            if "dtype=torch." in text:
                return text.split("dtype=torch.")[1].split(",")[0].rstrip(")")
            numbers = text.split("requires_grad")[0]
            if "True" in numbers or "False" in numbers:
                return "bool"
            return "float32" if "." in numbers else "int64"
    """,
    wrong={
        "`requires_grad=True` holds the word": """
            def printed_dtype(text):
                if "dtype=torch." in text:
                    return text.split("dtype=torch.")[1].split(",")[0].rstrip(")")
                if "True" in text or "False" in text:
                    return "bool"
                return "float32" if "." in text else "int64"
        """,
        "The text names": """
            def printed_dtype(text):
                numbers = text.split("requires_grad")[0]
                if "True" in numbers or "False" in numbers:
                    return "bool"
                return "float32" if "." in numbers else "int64"
        """,
        "no dot": """
            def printed_dtype(text):
                if "dtype=torch." in text:
                    return text.split("dtype=torch.")[1].split(",")[0].rstrip(")")
                return "bool" if "True]" in text or "False]" in text else "float32"
        """,
        "ends with the dtype": """
            def printed_dtype(text):
                if "dtype=torch." in text:
                    return text.split("dtype=torch.")[1]
                numbers = text.split("requires_grad")[0]
                if "True" in numbers or "False" in numbers:
                    return "bool"
                return "float32" if "." in numbers else "int64"
        """,
    },
    right="So the print shows dtype and flag of every tensor, even where it names neither.",
)
def check_printed_dtype(printed_dtype: Any) -> None:
    library = yours()

    def answer(made: Any) -> tuple[str, str]:
        got = printed_dtype(repr(made))
        return str(got).removeprefix("torch."), f"For `{made!r}` yours says"

    got, says = answer(library.tensor([1.0, 2.5], requires_grad=True))
    hint = "`requires_grad=True` holds the word `True`, and that is not an element."
    expect(got != "bool", f"{says} bool. {hint}")
    got, says = answer(library.tensor([3, 4]))
    expect(got != "float32", f"{says} float32, but its elements have no dot.")
    got, says = answer(library.tensor([3.0], dtype=library.float64))
    expect(got != "float32", f"{says} float32. The text names the dtype; believe it.")
    expect(got == "float64", f"{says} `{got}`. The text ends with the dtype, and a bracket.")
    for values, kind in (
        ([True, False], "bool"), (True, "bool"), (7, "int64"), ([[-1, 2]], "int64"),
        (0.5, "float32"), ([1e-9, 1.0], "float32"), ([2.0, 4.0], "float32"),
        ([1, 2], "int32"), ([0.5], "float64"), ([0.5], "float16"), ([1], "uint8"),
    ):  # fmt: skip
        for flag in {False, kind.startswith("float")}:
            made = library.tensor(values, dtype=getattr(library, kind), requires_grad=flag)
            got, says = answer(made)
            expect(got == kind, f"{says} `{got}`, and it is `{kind}`.")


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
