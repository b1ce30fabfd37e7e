// Lets a large drawing be enlarged and moved where it stands; without scripts it is a still picture.
((script) => {
  const root = script.parentElement;
  const image = root.querySelector("img");
  const frame = document.createElement("div");
  const hint = document.createElement("div");
  frame.setAttribute("style", "overflow: auto; max-height: 75vh; cursor: zoom-in; touch-action: pan-x pan-y");
  frame.tabIndex = 0;
  frame.setAttribute("aria-label", "Large drawing. Plus and minus zoom, arrow keys move, Escape goes back.");
  frame.setAttribute("data-lm-suppress-shortcuts", "true"); // JupyterLab has + and Esc of its own
  hint.setAttribute("style", "font: 13px Helvetica, Arial, sans-serif; opacity: 0.75");
  hint.textContent = "Click to enlarge · drag to move · Ctrl + wheel, or + and −, to zoom · Esc to go back";
  image.draggable = false;
  image.replaceWith(frame);
  frame.append(image);
  frame.after(hint);

  let enlarged = false;
  let drag = null;

  function reset() {
    enlarged = false;
    frame.style.cursor = "zoom-in";
    Object.assign(image.style, { maxWidth: "100%", width: "" });
  }

  // What is at (x, y) on the screen stays there.
  function zoom(factor, x, y) {
    const before = image.getBoundingClientRect();
    enlarged = true;
    frame.style.cursor = "grab";
    const width = Math.min(Math.max(before.width * factor, 100), 4 * image.naturalWidth);
    Object.assign(image.style, { maxWidth: "none", width: `${width}px` });
    const after = image.getBoundingClientRect();
    frame.scrollLeft += after.left + ((x - before.left) * after.width) / before.width - x;
    frame.scrollTop += after.top + ((y - before.top) * after.height) / before.height - y;
  }

  frame.onpointerdown = (event) => {
    if (event.button !== 0 || event.pointerType === "touch") return; // fingers scroll by themselves
    drag = { x: event.clientX, y: event.clientY, left: frame.scrollLeft, top: frame.scrollTop };
  };
  frame.onpointermove = (event) => {
    if (event.buttons === 0) drag = null; // the button came up somewhere else
    if (drag === null) return;
    const [across, down] = [event.clientX - drag.x, event.clientY - drag.y];
    if (Math.abs(across) + Math.abs(down) > 4) drag.moved = true;
    frame.scrollLeft = drag.left - across;
    frame.scrollTop = drag.top - down;
  };
  frame.onclick = (event) => {
    const moved = drag?.moved;
    drag = null;
    if (moved) return;
    const shown = image.getBoundingClientRect().width;
    if (enlarged) reset();
    else zoom(Math.max(1.5, image.naturalWidth / shown), event.clientX, event.clientY);
  };
  frame.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoom(Math.exp(-event.deltaY / 300), event.clientX, event.clientY);
  }, { passive: false });
  frame.onkeydown = (event) => {
    const seen = frame.getBoundingClientRect();
    const middle = [seen.left + seen.width / 2, seen.top + seen.height / 2];
    const factor = { "+": 1.25, "=": 1.25, "-": 0.8 }[event.key];
    if (event.ctrlKey || event.metaKey || (factor === undefined && event.key !== "Escape")) return;
    event.preventDefault();
    event.stopPropagation();
    if (factor === undefined) reset();
    else zoom(factor, ...middle);
  };
})(document.currentScript);
