// Lets a drawing tell which line of code made a box, and a large one be enlarged and moved where it
// stands; without scripts it is a still picture.
((script) => {
  const root = script.parentElement;
  const image = root.querySelector("img");
  const frame = document.createElement("div");
  const hint = document.createElement("div");
  const boxes = boxesOf(image.src);
  const large = "large" in root.dataset;
  const hints = boxes.length ? ["Click a box to see the line that made it"] : [];
  if (large) hints.push("Click to enlarge", "drag to move", "Ctrl + wheel, or + and −, to zoom", "Esc to go back");
  frame.setAttribute("style", "overflow: auto; touch-action: pan-x pan-y");
  hint.setAttribute("style", "font: 13px Helvetica, Arial, sans-serif; opacity: 0.8; white-space: pre-wrap");
  hint.setAttribute("role", "status");
  hint.textContent = hints.join(" · ");
  image.draggable = false;
  if (large) {
    Object.assign(frame.style, { maxHeight: "75vh", cursor: "zoom-in" });
    frame.tabIndex = 0;
    frame.setAttribute("aria-label", "Large drawing. Plus and minus zoom, arrow keys move, Escape goes back.");
    frame.setAttribute("data-lm-suppress-shortcuts", "true"); // JupyterLab has + and Esc of its own
  }
  // Shrunk further, letters would have less than 11 pixels; what is wider then can be scrolled.
  const readable = () => (image.style.minWidth = `${0.6 * image.naturalWidth}px`);
  if (image.complete) readable();
  else image.onload = readable;
  image.replaceWith(frame);
  frame.append(image);
  frame.after(hint);

  let enlarged = false;
  let drag = null;

  // Where the boxes are in the picture, as parts of its width and height, with their lines of code.
  function boxesOf(source) {
    const letters = Uint8Array.from(atob(source.split(",")[1]), (letter) => letter.charCodeAt(0));
    const svg = new DOMParser().parseFromString(new TextDecoder().decode(letters), "image/svg+xml").documentElement;
    const numbers = (text) => (text ?? "").match(/-?[\d.]+/g)?.map(Number) ?? [];
    const [, , width, height] = numbers(svg.getAttribute("viewBox"));
    const moved = svg.querySelector("g.graph")?.getAttribute("transform") ?? "";
    const [left = 0, top = 0] = numbers(/translate\(([^)]*)/.exec(moved)?.[1]);
    return [...svg.querySelectorAll("[data-line]")].map((group) => {
      const shape = group.querySelector("polygon, path");
      const all = numbers(shape.getAttribute("points") ?? shape.getAttribute("d"));
      const [x, y] = [0, 1].map((axis) => all.filter((_, index) => index % 2 === axis));
      const range = (values, shift, size) => [Math.min(...values), Math.max(...values)].map((each) => (each + shift) / size);
      return { line: group.dataset.line, x: range(x, left, width), y: range(y, top, height) };
    });
  }

  function lineAt(event) {
    const seen = image.getBoundingClientRect();
    const [x, y] = [(event.clientX - seen.left) / seen.width, (event.clientY - seen.top) / seen.height];
    return boxes.find((box) => box.x[0] <= x && x <= box.x[1] && box.y[0] <= y && y <= box.y[1])?.line;
  }

  function reset() {
    enlarged = false;
    frame.style.cursor = large ? "zoom-in" : "";
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
    frame.style.cursor = lineAt(event) ? "pointer" : large && !enlarged ? "zoom-in" : "";
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
    const line = lineAt(event);
    if (line) hint.textContent = `made by:  ${line}\n${hints.join(" · ")}`;
    if (!large || (line && enlarged)) return;
    const shown = image.getBoundingClientRect().width;
    if (enlarged) reset();
    else zoom(Math.max(1.5, image.naturalWidth / shown), event.clientX, event.clientY);
  };
  frame.addEventListener("wheel", (event) => {
    if (!large || (!event.ctrlKey && !event.metaKey)) return;
    event.preventDefault();
    zoom(Math.exp(-event.deltaY / 300), event.clientX, event.clientY);
  }, { passive: false });
  frame.onkeydown = (event) => {
    const seen = frame.getBoundingClientRect();
    const middle = [seen.left + seen.width / 2, seen.top + seen.height / 2];
    const factor = { "+": 1.25, "=": 1.25, "-": 0.8 }[event.key];
    if (!large || event.ctrlKey || event.metaKey || (factor === undefined && event.key !== "Escape")) return;
    event.preventDefault();
    event.stopPropagation();
    if (factor === undefined) reset();
    else zoom(factor, ...middle);
  };
})(document.currentScript);
