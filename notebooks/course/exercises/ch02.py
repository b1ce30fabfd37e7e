"""What 02_tensors asks: shapes, dtypes, digits, the flag, and whose memory it is."""

import numpy as np

import minigrad as torch
from course.declare import Mistake, exercise, expect, prediction, same

prediction(
    "02.a",
    "What is the shape of `torch.tensor(1.0)`?",
    {
        "torch.Size([1, 1])": "So document 001 has it, but that is the shape of `[[1.0]]`.",
        "torch.Size([1])": "That is the shape of `[1.0]`: one dimension, of length 1.",
        "torch.Size([])": "No brackets, no dimensions, so the list of lengths is empty.",
    },
    answer="torch.Size([])",
)

prediction(
    "02.b",
    "`i` is `torch.tensor([1, 2])`, and `d` is a float64 tensor of two numbers. Which dtypes have "
    "`i * 2`, `i * 2.5` and `d * 2.5`?",
    {
        "int64, int64, float64": "Then 1 * 2.5 would have to be 2. The float does raise the dtype.",
        "int64, float64, float64": "So it is in NumPy, whose floats are float64. PyTorch's default "
        "is float32.",
        "int64, float32, float32": "The last is too narrow: a Python number takes no "
        "precision away.",
        "int64, float32, float64": "The number adds a decimal point where there was none, and "
        "changes nothing where there was one.",
    },
    answer="int64, float32, float64",
    shown="torch.int64 torch.float32 torch.float64",
)

prediction(
    "02.c",
    '`x` is `torch.tensor(0.6)`. What do `print(x)` and `print(f"{x}")` show?',
    {
        "both tensor(0.6000)": "The first does. An f-string asks the tensor to format itself, and "
        "a 0-d tensor does that as a number.",
        "tensor(0.6000), then 0.6000": "The f-string does show a bare number, but nothing rounds "
        "it to four digits.",
        "tensor(0.6000), then 0.6": "The f-string does show a bare number, but float32 cannot hold "
        "0.6 exactly, and here one sees it.",
        "tensor(0.6000), then 0.6000000238418579": "The same float32, rounded for reading and then "
        "in full.",
    },
    answer="tensor(0.6000), then 0.6000000238418579",
    shown="tensor(0.6000)\n0.6000000238418579",
)

prediction(
    "02.d",
    "`x = torch.tensor(5.0)`, then `y = x**3`, then `x.requires_grad_()`, then `z = x**3`. "
    "What are `y.requires_grad` and `z.requires_grad`?",
    {
        "True and True": "For that, `y` would have to know that it came from `x`. It was computed "
        "when nobody asked for records, so it does not.",
        "False and False": "For `z` somebody did ask: when it was computed, `x` required grad.",
        "False and True": "What counts is how the flag stood when the operation ran.",
    },
    answer="False and True",
    shown="False True",
)


@exercise(
    "02.1",
    "A tensor to train",
    difficulty=1,
    minutes=4,
    hint="`torch.tensor` copies, and takes `dtype` and `requires_grad`.",
    solution="""
        def trainable(values):
            return torch.tensor(values, dtype=torch.float32, requires_grad=True)
    """,
    wrong={
        "integers cannot require grad": """
            def trainable(values):
                return torch.tensor(values, requires_grad=True)
        """,
        "does not require grad": """
            def trainable(values):
                return torch.tensor(values, dtype=torch.float32)
        """,
        "torch.float64": """
            def trainable(values):
                return torch.tensor(np.array(values, float), requires_grad=True)
        """,
        "changed with the array": """
            def trainable(values):
                return torch.from_numpy(np.asarray(values, np.float32)).requires_grad_()
        """,
        "result of an operation": """
            def trainable(values):
                return torch.tensor(values, dtype=torch.float32, requires_grad=True) * 1.0
        """,
    },
    right="Numbers from anywhere, one dtype, a memory of its own: that is what a parameter is.",
)
def check_trainable(trainable):
    array = np.array([0.5, 1.5, 2.5], np.float32)
    for values in ([1.0, 2.0], [3, 4], np.array([5, 6]), np.array([0.1, 0.2]), array):
        try:
            tensor = trainable(values)
        except RuntimeError as error:
            if "floating point" not in str(error):
                raise
            raise Mistake(f"`{values!r}`: integers cannot require grad.") from None
        expect(isinstance(tensor, torch.Tensor), f"Return a tensor, not `{type(tensor).__name__}`.")
        expect(tensor.requires_grad, "Your tensor does not require grad.")
        expect(
            tensor.dtype is torch.float32,
            f"From `{values!r}` you made a `{tensor.dtype}` tensor; `torch.float32` was asked for.",
        )
        expect(
            tensor.grad_fn is None,
            "Your tensor is the result of an operation that was recorded; print it and see its "
            "`grad_fn`. Set the flag last.",
        )
        expect(same(tensor, np.asarray(values, np.float32)), f"From `{values!r}`: wrong numbers.")
    array[0] = 9.0
    expect(tensor.tolist()[0] == 0.5, "Your tensor changed with the array: they share memory.")


@exercise(
    "02.2",
    "Will it be recorded?",
    difficulty=1,
    minutes=4,
    hint="One input is enough. `isinstance(value, torch.Tensor)` tells tensors from numbers.",
    solution="""
        def recorded(*inputs):
            return any(isinstance(x, torch.Tensor) and x.requires_grad for x in inputs)
    """,
    wrong={
        "One input that requires grad is enough": """
            def recorded(*inputs):
                return all(isinstance(x, torch.Tensor) and x.requires_grad for x in inputs)
        """,
        "Look at every input": """
            def recorded(*inputs):
                return isinstance(inputs[0], torch.Tensor) and inputs[0].requires_grad
        """,
        "A Python number has no flag": """
            def recorded(*inputs):
                return any(value.requires_grad for value in inputs)
        """,
        "may require grad, but does not": """
            def recorded(*inputs):
                return any(isinstance(x, torch.Tensor) and x.is_floating_point() for x in inputs)
        """,
    },
    right="That one `any` decides for every operation whether there will be a graph.",
)
def check_recorded(recorded):
    weight = torch.tensor([1.0, 2.0], requires_grad=True)
    data = torch.tensor([3.0, 4.0])

    def answer(*inputs):
        try:
            return recorded(*inputs)
        except AttributeError:
            raise Mistake("A Python number has no flag to look at; pass over it.") from None

    expect(
        answer(data, data) is not True, "A float tensor may require grad, but does not by itself."
    )
    expect(
        answer(weight, data) is not False and answer(weight, 2.0) is not False,
        "One input that requires grad is enough; yours asks it of all.",
    )
    expect(
        answer(data, weight) is not False and answer(2.0, 3, weight) is not False,
        "Look at every input, wherever it stands.",
    )
    for inputs, wanted in (((weight, weight), True), ((data, 2.0), False), ((1, 2.5), False)):
        expect(answer(*inputs) is wanted, f"For `{inputs!r}` the answer is `{wanted}`.")


@exercise(
    "02.3",
    "The dtype of a product",
    difficulty=2,
    minutes=8,
    hint="Does the number have a higher category than the tensor? Only then does it count. In "
    "Python a bool is an int as well, so ask for bool first.",
    solution="""
        def product_dtype(dtype, number):
            if isinstance(number, float) and not dtype.is_floating_point:
                return torch.float32
            if isinstance(number, int) and not isinstance(number, bool) and dtype is torch.bool:
                return torch.int64
            return dtype
    """,
    wrong={
        "takes no precision away": """
            def product_dtype(dtype, number):
                if isinstance(number, float):
                    return torch.float32
                return torch.int64 if dtype is torch.bool and number is not True else dtype
        """,
        "keeps the tensor's dtype": """
            def product_dtype(dtype, number):
                return dtype
        """,
        "That is NumPy's answer": """
            def product_dtype(dtype, number):
                if isinstance(number, float):
                    return dtype if dtype.is_floating_point else torch.float64
                return torch.int64 if dtype is torch.bool and number is not True else dtype
        """,
        "not the value": """
            def product_dtype(dtype, number):
                if isinstance(number, float) and not number.is_integer():
                    return dtype if dtype.is_floating_point else torch.float32
                return torch.int64 if dtype is torch.bool and number is not True else dtype
        """,
        "`True` is a bool": """
            def product_dtype(dtype, number):
                if isinstance(number, float):
                    return dtype if dtype.is_floating_point else torch.float32
                return torch.int64 if dtype is torch.bool else dtype
        """,
    },
    right="A number raises the category, or changes nothing.",
)
def check_product_dtype(product_dtype):
    integer, boolean = torch.int64, torch.bool
    got = product_dtype(integer, 2.5)
    expect(
        got is not torch.float64, "An integer tensor times 2.5: float64? That is NumPy's answer."
    )
    expect(got is not integer, "Yours keeps the tensor's dtype, so 1 * 2.5 would have to be 2.")
    expect(
        product_dtype(torch.float64, 2.5) is not torch.float32,
        "float64 times 2.5 stays float64: a number takes no precision away.",
    )
    expect(
        product_dtype(integer, 2.0) is torch.float32,
        "2.0 is a float: its type counts, not the value.",
    )
    expect(
        product_dtype(boolean, True) is boolean, "`True` is a bool, and bool times bool is bool."
    )
    for kind in (boolean, torch.int32, integer, torch.float16, torch.float32, torch.float64):
        for number in (False, 3, 0.5):
            wanted = (torch.ones(2, dtype=kind) * number).dtype
            expect(
                product_dtype(kind, number) is wanted, f"`{kind}` times `{number}` is `{wanted}`."
            )


@exercise(
    "02.4",
    "One memory or two",
    difficulty=2,
    minutes=6,
    hint="`np.shares_memory` compares two arrays.",
    solution="""
        def shares(tensor, array):
            return np.shares_memory(as_array(tensor), array)
    """,
    wrong={
        "Equal numbers": """
            def shares(tensor, array):
                return np.array_equal(tensor.tolist(), array)
        """,
        "one part of the array": """
            def shares(tensor, array):
                return as_array(tensor) is array
        """,
        "Yours changed": """
            def shares(tensor, array):
                array += 1
                return np.array_equal(tensor.tolist(), array)
        """,
        "every other number": """
            def shares(tensor, array):
                return np.may_share_memory(as_array(tensor), array)
        """,
    },
    right="Values and objects tell nothing about memory; only addresses do.",
)
def check_shares(shares):
    def answer(tensor, array):
        before = tensor.tolist(), array.tolist()
        result = shares(tensor, array)
        expect((tensor.tolist(), array.tolist()) == before, "Yours changed the numbers.")
        return bool(result)

    array = np.array([4.0, 5.0, 6.0, 7.0])
    copied = torch.tensor(array)
    expect(not answer(copied, array), "Equal numbers need not be the same memory: this is a copy.")
    expect(answer(torch.from_numpy(array), array), "`from_numpy(array)` shares, and yours says no.")
    expect(
        answer(torch.from_numpy(array[2:]), array),
        "A tensor may share one part of the array, and is then another object.",
    )
    expect(
        not answer(torch.from_numpy(array[::2]), array[1::2]),
        "One holds every other number, the other those between: no change would show.",
    )
    weight = torch.from_numpy(array).requires_grad_()
    expect(answer(weight, array), "It shares whether it requires grad or not.")
