"""A drawing of holders shows which objects refer to which."""

from typing import Any

import pytest

import minigrad
from minigrad.viz import draw_holders
from minigrad_course.kernel.reader import yours
from tests.course.page import CHAPTERS, page, run, stage


def holds(*tensors: Any, **names: Any) -> list[str]:
    """The arrows, with the classes of the nodes."""
    drawn = draw_holders(*tensors, names=names)
    refs = {box.key: box.rows[0].text.split(" = ")[0] for box in drawn.picture.boxes}
    return [
        f"{refs[each.tail]} {each.label} {refs[each.head]}{' weakly' * (each.kind == 'weak')}"
        for each in drawn.picture.arrows
    ]


def graph(library: Any) -> tuple[Any, Any, Any]:
    x = library.tensor(5.0, requires_grad=True)
    y = x * x
    return x, y, y * x


ALWAYS = {
    "z grad_fn MulBackward0",
    "y grad_fn MulBackward0",
    "MulBackward0 next_functions[0] MulBackward0",
    "MulBackward0 next_functions[1] AccumulateGrad",
    "AccumulateGrad variable x",
    "x its AccumulateGrad AccumulateGrad weakly",
}


@pytest.mark.parametrize("number", CHAPTERS)
def test_no_node_holds_its_result_at_any_stage(number: int) -> None:
    x, y, z = graph(stage(number))
    shown = holds(z, x=x, y=y, z=z)
    assert set(shown) >= ALWAYS
    assert not [line for line in shown if line.endswith(" z")]


def test_a_node_that_holds_its_result_is_shown_with_the_cycle() -> None:
    notebook = page(4)
    run(
        "record_before = Node.record\n"
        "@method_of(Node)\ndef record(self, edges, outputs):\n"
        "    record_before(self, edges, outputs)\n"
        "    self.output = outputs[0]",
        notebook,
    )
    x, y, z = graph(yours(notebook))
    assert "MulBackward0 output z" in holds(z, x=x, y=y, z=z)


def test_minigrad_and_pytorch(library: Any) -> None:
    x, y, z = graph(library)
    e = z.log().exp()
    shown = holds(e, x=x, y=y, z=z, e=e)
    assert set(shown) >= ALWAYS
    assert not [line for line in shown if line.endswith(" e")]
    assert "saved result: the array of e" in repr(draw_holders(e))
    e.backward()
    assert "x grad 75" in holds(e, x=x)


def test_the_cycle_of_a_gradient_with_a_graph() -> None:
    x = minigrad.tensor(3.0, requires_grad=True)
    with pytest.warns(UserWarning, match="reference cycle"):
        (x * x).backward(create_graph=True)
    arrows = repr(draw_holders(x)).splitlines()
    assert "  x → x.grad: grad" in arrows
    assert [line for line in arrows if "variable" in line and line.endswith("→ x: variable")]


def test_anything_but_a_tensor_is_refused() -> None:
    with pytest.raises(TypeError, match="needs at least one"):
        draw_holders()
