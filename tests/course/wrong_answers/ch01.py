"""Wrong answers to the exercises of chapter 01."""

from tests.course.wrong_answers import WrongAnswers

EVERY_PATH = """\
    def backward(self, grad=1.0):
        self.grad += grad
        for number, slope in self.made_from:
            number.backward(grad * slope)"""
# Each tensor once, in an order that does not wait for all of its paths.
BREADTH_FIRST = """\
    def backward(self):
        order = [self]
        for number in order:
            order += [each for each, _ in number.made_from if each not in order]
"""
# The right order, but `grad` also collects what arrives, so an earlier pass counts again.
TOPOLOGICAL = """\
    def backward(self):
        order = []

        def visit(number):
            if number not in order:
                for each, _ in number.made_from:
                    visit(each)
                order.insert(0, number)

        visit(self)
"""
DEPTH_FIRST = """\
    def backward(self):
        order, waiting = [], [self]
        while waiting:
            number = waiting.pop()
            if number not in order:
                order.append(number)
                waiting += [each for each, _ in number.made_from]
"""
SEND = """\
        self.grad = 1.0
        for number in order:
            for each, slope in number.made_from:
                each.grad += number.grad * slope
"""
# The longest path to each tensor, but its inputs may have been counted before that is known.
BY_HEIGHT = """\
height = dict.fromkeys(found, 0)
    for tensor in found:
        for each, _ in tensor.made_from:
            height[each] = max(height[each], height[tensor] + 1)
    return sorted(found, key=height.get)"""

WRONG: WrongAnswers = {
    "01.1": {
        "the path through `y` only. The path through `w` is missing": "return 2 * x * math.exp(x)",
        "return it instead": {"return through_y + through_w": "print(through_y + through_w)"},
        "belong to different paths": "return 2 * x * math.exp(x) * math.exp(x)",
        "The path through `y` is missing": "return x**2 * math.exp(x)",
        "multiplied the two paths": "return (math.exp(x) * 2 * x) * (x**2 * math.exp(x))",
        "added the slopes of `y` and `w`": "return 2 * x + math.exp(x)",
        "call no `backward`": """
            def product_slope(x):
                x = Tensor(x)
                exp = Tensor(math.exp(x.value), [(x, math.exp(x.value))])
                (x**2 * exp).backward()
                return x.grad
        """,
        "multiply the slopes, in Python's own floats": """
            def product_slope(x, h=1e-5):
                def z(x):
                    return x**2 * math.exp(x)

                return (z(x + h) - z(x - h)) / (2 * h)
        """,
    },
    "01.2": {
        "changed the array that it was given": {
            "np.array(x, dtype=float)": "x",
            "        moved[place] = value\n": "",
        },
        "cuts off the decimals": {"np.array(x, dtype=float)": "x.copy()"},
        "twice as large as it should be": {"(2 * h)": "h"},
        "should have the shape of `x`": {"return slopes": "return slopes.reshape(-1)"},
        "only steps forward": {"= value - h": "= value", "(2 * h)": "h"},
        "does not restore each number": {"        moved[place] = value\n": ""},
        "ignores the step `h`": {"(f, x, h=1e-5):": "(f, x, h=1e-5):\n    h = 1e-5"},
    },
    "01.3": {
        "The slope of the sigmoid is missing": {" * out * (1 - out)": ""},
        "Your slope lacks `out`": {"* out * (1 - out)": "* (1 - out)"},
        "Your slope lacks `1 - out`": {"out * (1 - out)": "out"},
        "call no `backward`": """
            def neuron_slopes(w, b, a, target):
                ws, bias = [Tensor(each) for each in w], Tensor(b)
                z = weighted_sum(ws, list(a)) + bias
                ((z.sigmoid() + -target) ** 2).backward()
                return np.array([each.grad for each in ws]), bias.grad
        """,
        "missing its factor 2": {"2 * (out - target) * out *": "(out - target) * out *"},
        "the inputs themselves": {"return dcost_dz * a, dcost_dz": "return dcost_dz * w, dcost_dz"},
        "wrong sign": {"(out - target)": "(target - out)"},
        "Return the slopes for `w` and the slope for `b`": {
            "return dcost_dz * a, dcost_dz": "return dcost_dz * a"
        },
        "Swap the two": {"dcost_dz * a, dcost_dz": "dcost_dz, dcost_dz * a"},
        "computed from its result": {"out * (1 - out)": "(w @ a + b) * (1 - w @ a - b)"},
        "multiply the slopes, in Python's own floats": """
            def neuron_slopes(w, b, a, target, h=1e-5):
                def cost(w, b):
                    return (1 / (1 + np.exp(-(w @ a + b))) - target) ** 2

                for_w = [cost(w + h * u, b) - cost(w - h * u, b) for u in np.eye(len(w))]
                return np.array(for_w) / (2 * h), (cost(w, b + h) - cost(w, b - h)) / (2 * h)
        """,
        "works for the target 1 only": {"(out - target)": "(out - 1)"},
        "with respect to `b` is 1": {"dcost_dz * a, dcost_dz": "dcost_dz * a, dcost_dz * b"},
    },
    "01.4": {
        "so `y` has to wait": {"order = [result]": "return found"},
        "`z = a + y`, your function gives `z y x a`": """
            def loop_order(result):
                order, waiting = [], [result]
                while waiting:
                    tensor = waiting.pop()
                    if tensor not in order:
                        order.append(tensor)
                        waiting += [each for each, _ in tensor.made_from]
                return order
        """,
        "raises Python's limit for nested calls": """
            def loop_order(result):
                import sys

                sys.setrecursionlimit(10**6)
                return in_order(result)[::-1]
        """,
        "In a graph of random additions": {
            "order = [result]": BY_HEIGHT,
            "in found:\n": "in found * 2:\n",
        },
        "should appear once": {"if missing[each] == 0:\n                order": "order"},
        "still has a function that calls itself": "return in_order(result)[::-1]",
        "comes first, because backward starts there": "return in_order(result)",
        "All four tensors": {"order = [result]": "return [result]"},
        "Does it look for tensors in a list": {
            "if each not in missing": "if each not in found",
            "missing[each] = 0": "missing.setdefault(each, 0)",
        },
        "visits a tensor before one that was made": {"order = [result]": BY_HEIGHT},
    },
    "01.5": {
        "overwrites `grad`": {"self.grad += grad": "self.grad = grad"},
        "counts `a` once": {"(self, 1.0), (other, 1.0)": "(each, 1.0) for each in {self, other}"},
        "`z = y + a` the slope at 2 is 12": {EVERY_PATH: BREADTH_FIRST + SEND},
        "`z = a + y` the slope at 2 is 12": {EVERY_PATH: DEPTH_FIRST + SEND},
        "two calls of `backward()` should add up to 24": {EVERY_PATH: TOPOLOGICAL + SEND},
        "the slopes along the path multiply": {"backward(grad * slope)": "backward(slope)"},
        "passes on all of `grad`": {"grad * slope)": "self.grad * slope)"},
        "Look at your product": {
            "(self, other.value), (other, self.value)": "(self, self.value), (other, other.value)"
        },
        "plain number on the right": {
            "other if isinstance(other, Number) else Number(other)": "other"
        },
        "Look at `x ** n` again": {"n * self.value ** (n - 1)": "n * self.value"},
        "Look at `exp` again": {"[(self, result)]": "[(self, self.value)]"},
        "Only one of the two factors": {", (other, self.value)]": "]"},
        "Write the class yourself": "Number = Tensor",
        "has no `exp` yet": {"def exp(self)": "def exponential(self)"},
        "a library's tensor inside": """
            import minigrad


            class Number:
                def __init__(self, value):
                    start = minigrad.tensor(value, dtype=minigrad.float64, requires_grad=True)
                    self.inner = value if isinstance(value, minigrad.Tensor) else start

                value = property(lambda self: self.inner.item())
                grad = property(lambda self: self.inner.grad.item())

                def __add__(self, other):
                    return Number(self.inner + getattr(other, "inner", other))

                def __mul__(self, other):
                    return Number(self.inner * getattr(other, "inner", other))

                def __pow__(self, n):
                    return Number(self.inner**n)

                def exp(self):
                    return Number(minigrad.exp(self.inner))

                def backward(self):
                    self.inner.backward()
        """,
        "multiply the slopes, in Python's own floats": """
            class Number:
                def __init__(self, value, f=None, inputs=()):
                    self.value, self.f, self.inputs, self.grad = value, f, inputs, 0.0

                def made(self, f, *others):
                    others = [o if isinstance(o, Number) else Number(o) for o in others]
                    inputs = (self, *others)
                    return Number(f(*(each.value for each in inputs)), f, inputs)

                def __add__(self, other):
                    return self.made(lambda a, b: a + b, other)

                def __mul__(self, other):
                    return self.made(lambda a, b: a * b, other)

                def __pow__(self, n):
                    return self.made(lambda a: a**n)

                def exp(self):
                    return self.made(math.exp)

                def backward(self, grad=1.0, h=1e-6):
                    self.grad += grad
                    for place, number in enumerate(self.inputs):
                        values = [each.value for each in self.inputs]
                        values[place] += h
                        number.backward(grad * (self.f(*values) - self.value) / h)
        """,
    },
}
