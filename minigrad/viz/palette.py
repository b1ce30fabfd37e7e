"""The colors of all pictures, in one place, each with the color that replaces it on a dark page.

They start from Okabe and Ito's palette, which color-blind readers can tell apart. Even so, no color
is the only sign of anything: a frame, a dash, a sign or a word always says the same. Orange is the
gradient, blue is a leaf, green is what has been added, and red is what is wrong.

A drawing is written with its light colors as plain attributes, because every program that shows SVG
understands those. A style sheet inside the drawing replaces them where `color-scheme` is dark, be
it because the reader's system is dark or because the page around the drawing says so. The scripts
of drawings and players put the same sheet into the page, with the marks by which JupyterLab, the
website, Colab and VS Code say which theme a page has.
"""

THEMES = {
    "light": "[data-jp-theme-light=true],[data-theme=light],[theme=light],.vscode-light,.reveal",
    "dark": "[data-jp-theme-light=false],[data-theme=dark],[theme=dark],.vscode-dark",
}
PICTURES = ".minigrad-player,.minigrad-drawing"

GROUND, INK, GREY, PALE = "#ffffff", "#1a1a1a", "#5f5f5f", "#8c8c8c"
BLUE, ORANGE, RED, GREEN = "#0072b2", "#d96f00", "#b3001b", "#00674b"
GRADIENT, NODE, HOOK = "#9a4700", "#6b4e00", "#8a3e68"
"""Colors of text: ORANGE itself is too light for letters."""
FRAME, GOLD = "#4d4d4d", "#8a6d1b"
LEAF, OPERATION, CONSTANT, DONE = "#cfe6f7", "#fbecc8", "#f2f2f2", "#efefef"
ACTING, WRONG, ADDED = "#ffe3c8", "#ffdfe2", "#d3efe4"
"""The ground of a box that acts now, of one in which something is wrong, and of one that is new."""

DARK = {
    GROUND: "#1f2126", INK: "#ececec", GREY: "#b8b8b8", PALE: "#8f939b",
    BLUE: "#6cbcf0", ORANGE: "#ff8c1a", RED: "#ff8f99", GREEN: "#5fd3ab",
    GRADIENT: "#ffb066", NODE: "#e8cf87", HOOK: "#f0a3ca",
    FRAME: "#c4c4c4", GOLD: "#c9a646",
    LEAF: "#12384f", OPERATION: "#3d3315", CONSTANT: "#2e3036", DONE: "#2a2c31",
    ACTING: "#4d2d0d", WRONG: "#4f161e", ADDED: "#0f3d30",
}  # fmt: skip
"""The color that each of them becomes on a dark page."""


VARIABLES = {
    "ground": GROUND, "ink": INK, "grey": GREY, "pale": PALE, "blue": BLUE, "orange": ORANGE,
    "red": RED, "raised": CONSTANT, "acting": ACTING,
}  # fmt: skip
"""The names under which the scripts of players and drawings use them."""


def style_sheet() -> str:
    """Return the style of every drawing, which replaces its colors where the page is dark."""
    named = "".join(f"--{key}:light-dark({c},{DARK[c]});" for key, c in VARIABLES.items())
    rules = [
        "svg.minigrad:root{color-scheme:light dark}",
        f":is({PICTURES}){{{named}color-scheme:light dark}}",
        *(f":is({where}) :is({PICTURES}){{color-scheme:{way}}}" for way, where in THEMES.items()),
    ]
    for light, dark in DARK.items():
        for paint in ("fill", "stroke"):
            rules.append(f'.minigrad [{paint}="{light}"]{{{paint}:light-dark({light},{dark})}}')
    return "\n".join(rules)
