// Fits a drawing into the window. A click on a box shows the line of code that made it, beside the
// box, and a click elsewhere enlarges what is too small to read. Without scripts it is a still picture.
((script) => {
  const root = script.parentElement;
  if (root.closest(".reveal")) return; // a slide fits its pictures itself
  const image = root.querySelector("img");
  const coded = Uint8Array.from(atob(image.src.split(",")[1]), (letter) => letter.charCodeAt(0));
  const svg = new DOMParser().parseFromString(new TextDecoder().decode(coded), "image/svg+xml").documentElement;
  const [, , width, height] = numbers(svg.getAttribute("viewBox")); // points, of 4/3 pixels
  const full = (width * 4) / 3;
  const make = (parent, css) => {
    const element = parent.appendChild(document.createElement("div"));
    element.style.cssText = css;
    return element;
  };

  // The page's theme decides about the colors, if it has one, and otherwise the system.
  if (!document.querySelector("#minigrad-drawings")) {
    const sheet = document.head.appendChild(document.createElement("style"));
    sheet.id = "minigrad-drawings";
    sheet.textContent = svg.querySelector("style").textContent;
  }
  const frame = document.createElement("div");
  frame.className = "minigrad-drawing";
  image.replaceWith(frame);
  const stage = make(frame, "position: relative");
  stage.append(image);
  Object.assign(image.style, { display: "block", width: "100%", maxWidth: "none" });
  image.draggable = false;
  const hint = make(root, "font: 13px Helvetica, Arial, sans-serif; opacity: 0.8; margin-top: 2px");
  hint.setAttribute("role", "status");

  // The boxes with a known line, each with its place in percent of the picture.
  const moved = svg.querySelector("g.graph")?.getAttribute("transform") ?? "";
  const [left = 0, top = 0] = numbers(/translate\(([^)]*)/.exec(moved)?.[1]);
  const boxes = [...svg.querySelectorAll("[data-line]")].map((group) => {
    const shape = group.querySelector("polygon, path");
    const all = numbers(shape.getAttribute("points") ?? shape.getAttribute("d"));
    const range = (axis, shift, size) => {
      const values = all.filter((_, index) => index % 2 === axis);
      return [Math.min(...values), Math.max(...values)].map((each) => (100 * (each + shift)) / size);
    };
    const [[x0, x1], [y0, y1]] = [range(0, left, width), range(1, top, height)];
    const box = make(stage, `position: absolute; cursor: pointer; border-radius: 4px;
      left: ${x0}%; top: ${y0}%; width: ${x1 - x0}%; height: ${y1 - y0}%`);
    box.onclick = (event) => {
      event.stopPropagation();
      const again = note.parentElement && note.of === box;
      forget();
      if (!again && !drag?.moved) tell(box, group.dataset.line, x0, x1, y0);
    };
    return box;
  });

  const note = document.createElement("div");
  function tell(box, line, x0, x1, y0) {
    const side = 100 - x1 >= x0 ? `left: calc(${x1}% + 8px)` : `right: calc(${100 - x0}% + 8px)`;
    note.style.cssText = `position: absolute; z-index: 1; ${side}; top: ${y0}%; width: max-content;
      max-width: max(${Math.max(100 - x1, x0) - 3}%, 12em); padding: 5px 9px; border-radius: 6px; white-space: pre-wrap;
      font: 14px/1.4 ui-monospace, Menlo, Consolas, monospace; color: var(--ink); background: var(--ground);
      border: 2px solid var(--blue)`;
    note.textContent = line;
    note.of = box;
    box.style.outline = "4px solid var(--blue)";
    stage.append(note);
    hint.textContent = `This line made it: ${line}`;
  }
  function forget() {
    if (note.of) note.of.style.outline = "";
    note.remove();
    describe();
  }

  let enlarged = false;
  let drag = null;
  const isSmall = () => stage.getBoundingClientRect().width < 0.75 * full;
  function describe() {
    const small = isSmall();
    const hints = boxes.length ? ["Click a box to see the line that made it"] : [];
    if (enlarged) hints.push("drag to move, Esc or a click to fit it again");
    else if (small) hints.push(`${boxes.length ? "click" : "Click"} elsewhere to enlarge`.replace("Click elsewhere", "Click"));
    hint.textContent = hints.join(" · ");
    frame.style.cursor = enlarged ? "grab" : small ? "zoom-in" : "";
    if (small || enlarged) {
      frame.tabIndex = 0;
      frame.setAttribute("aria-label", "Large drawing. Plus and minus zoom, arrow keys move, Escape fits it.");
      frame.setAttribute("data-lm-suppress-shortcuts", "true"); // JupyterLab has + and Esc of its own
    }
  }
  function fit() {
    enlarged = false;
    frame.style.cssText = "";
    stage.style.width = `min(100%, ${full}px, 85vh * ${width / height})`;
    describe();
  }
  // What is at (x, y) on the screen stays there.
  function zoom(factor, x, y) {
    const before = stage.getBoundingClientRect();
    enlarged = true;
    frame.style.cssText = "overflow: auto; max-height: 85vh; scrollbar-width: none; touch-action: pan-x pan-y";
    stage.style.width = `${Math.min(Math.max(before.width * factor, 100), 3 * full)}px`;
    const after = stage.getBoundingClientRect();
    frame.scrollLeft += after.left + ((x - before.left) * after.width) / before.width - x;
    frame.scrollTop += after.top + ((y - before.top) * after.height) / before.height - y;
    describe();
  }

  frame.onpointerdown = (event) => {
    if (event.button !== 0 || event.pointerType === "touch") return; // fingers scroll on their own
    drag = { x: event.clientX, y: event.clientY, left: frame.scrollLeft, top: frame.scrollTop };
  };
  frame.onpointermove = (event) => {
    if (drag === null || event.buttons === 0) return;
    const [across, down] = [event.clientX - drag.x, event.clientY - drag.y];
    if (Math.abs(across) + Math.abs(down) > 4) drag.moved = true;
    frame.scrollLeft = drag.left - across;
    frame.scrollTop = drag.top - down;
  };
  frame.onclick = (event) => {
    if (drag?.moved) return;
    if (note.parentElement) forget();
    else if (enlarged) fit();
    else if (isSmall()) zoom(full / stage.getBoundingClientRect().width, event.clientX, event.clientY);
  };
  frame.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoom(Math.exp(-event.deltaY / 300), event.clientX, event.clientY);
  }, { passive: false });
  frame.onkeydown = (event) => {
    const factor = { "+": 1.25, "=": 1.25, "-": 0.8 }[event.key];
    if (event.ctrlKey || event.metaKey || (factor === undefined && event.key !== "Escape")) return;
    event.preventDefault();
    event.stopPropagation();
    const seen = frame.getBoundingClientRect();
    forget();
    if (factor === undefined) fit();
    else zoom(factor, seen.left + seen.width / 2, seen.top + seen.height / 2);
  };
  fit();
  new ResizeObserver(() => note.parentElement || describe()).observe(frame);

  function numbers(text) {
    return (text ?? "").match(/-?[\d.]+/g)?.map(Number) ?? [];
  }
})(document.currentScript);
