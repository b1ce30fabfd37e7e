// The player of a replay. It stands beside two pictures and takes their place where scripts run.
// The first picture carries the graph and, in its <metadata>, what each frame changes.
((script) => {
  const root = script.parentElement;
  const stills = root.querySelector(".minigrad-stills");
  const coded = atob(stills.querySelector("img").src.split(",")[1]);
  const xml = new TextDecoder().decode(Uint8Array.from(coded, (letter) => letter.charCodeAt(0)));
  const svg = new DOMParser().parseFromString(xml, "image/svg+xml").documentElement;
  const { view, what, code, frames } = JSON.parse(svg.querySelector("metadata").textContent);
  const last = frames.length - 1;

  function make(parent, tag, attributes, text = "") {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.textContent = text;
    return parent.appendChild(element);
  }

  // The style of all players, and that of the graph. In the page's head no search can mark its words.
  const drawn = svg.querySelector("style");
  const sheet = document.querySelector("#minigrad-players") ?? make(document.head, "style", { id: "minigrad-players" });
  sheet.textContent = `${drawn.textContent}
    @media screen { .minigrad-stills { display: none } }
    .minigrad-replay { container-type: inline-size }
    .minigrad-player { --room: max(54vh, min(70vh, 400px));
      background: var(--ground); color: var(--ink); border: 1px solid var(--pale); border-radius: 8px;
      padding: 8px 12px; font: 15px/1.4 Helvetica, Arial, sans-serif; max-width: 1100px;
      display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); gap: 4px 16px }
    @media print { .minigrad-player { display: none } }
    @container (max-width: 700px) { .minigrad-player { grid-template-columns: minmax(0, 1fr) } }
    .minigrad-player:focus-visible { outline: 3px solid var(--blue) }
    .minigrad-bar { display: flex; gap: 6px; align-items: center }
    .minigrad-bar button { flex: none; box-sizing: content-box; font: inherit; white-space: nowrap;
      min-width: 1.2em; padding: 3px 9px; border: 1px solid var(--grey);
      border-radius: 6px; background: var(--raised); color: var(--ink); cursor: pointer }
    .minigrad-bar .minigrad-play { min-width: 3em }
    .minigrad-bar input { flex: 1; min-width: 40px; accent-color: var(--orange) }
    .minigrad-title { display: block; font-weight: bold; font-size: 17px; margin: 6px 0 2px }
    .minigrad-texts { display: grid; align-content: start }
    .minigrad-text { grid-area: 1 / 1; visibility: hidden }
    .minigrad-text.now { visibility: visible }
    .minigrad-text div { margin: 0 0 5px }
    .minigrad-text .minigrad-queue { font-weight: bold }
    .minigrad-text .minigrad-wrong { color: var(--red); font-weight: bold }
    .minigrad-code { font: 14px/1.5 ui-monospace, Menlo, Consolas, monospace; white-space: pre-wrap;
      margin: 4px 0 6px }
    .minigrad-code div { padding: 0 6px; border-left: 4px solid transparent; color: var(--grey) }
    .minigrad-code .now { border-color: var(--orange); background: var(--acting); color: var(--ink) }
    .minigrad-heard { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
    .minigrad-graph { overflow: auto; scrollbar-width: none }
    .minigrad-graph svg { display: block; margin: auto; height: auto }
    .minigrad-graph[data-zoom="no"] svg { cursor: zoom-in }
    .minigrad-graph[data-zoom="yes"] { max-height: var(--room) }
    .minigrad-graph[data-zoom="yes"] svg { cursor: zoom-out }
  `;
  for (const each of [drawn, ...svg.querySelectorAll("metadata, desc")]) each.remove();
  // JupyterLab and reveal.js have shortcuts of their own for the keys that steer the player.
  const own = { "data-lm-suppress-shortcuts": "true" };
  const player = make(root, "div", { class: "minigrad-player", role: "group", tabindex: 0,
    "aria-label": `${what}. Arrow keys step, space plays, Home and End jump.`, ...own });
  const side = make(player, "div", {});
  const bar = make(side, "div", { class: "minigrad-bar" });
  const back = make(bar, "button", { type: "button", "aria-label": "Step back", ...own }, "◀");
  const play = make(bar, "button", { type: "button", class: "minigrad-play", ...own });
  const forth = make(bar, "button", { type: "button", "aria-label": "Step forward", ...own }, "▶");
  const slider = make(bar, "input", { type: "range", min: 0, max: last, "aria-label": "Step", ...own });
  const heard = make(side, "div", { class: "minigrad-heard", "aria-live": "polite", "aria-atomic": "true" });
  const program = make(side, "div", { class: "minigrad-code" });
  for (const line of code) make(program, "div", {}, line);
  const title = make(side, "output", { class: "minigrad-title", "aria-live": "off" });
  const texts = make(side, "div", { class: "minigrad-texts" });
  for (const frame of frames) {
    const text = make(texts, "div", { class: "minigrad-text" });
    for (const line of frame.text) make(text, "div", line.startsWith("✗") ? { class: "minigrad-wrong" } : {}, line);
    for (const line of frame.queue) make(text, "div", { class: "minigrad-queue" }, line);
  }
  const graph = make(player, "div", { class: "minigrad-graph" });

  // The whole graph fits beside the player's own text. If that makes its letters hard to read, which
  // is below 11 pixels, a click shows it at its own size and follows the box that acts.
  const [, , width, height] = view;
  svg.setAttribute("viewBox", view.join(" "));
  svg.removeAttribute("height");
  graph.append(document.adoptNode(svg));
  function zoom(on) {
    graph.dataset.zoom = on ? "yes" : "no";
    svg.style.width = on ? `${1.333 * width}px` : `min(${1.333 * width}px, 100%, var(--room) * ${width / height})`;
    follow();
  }
  graph.onclick = () => {
    const small = svg.getBoundingClientRect().width < 0.79 * width;
    if (small || graph.dataset.zoom === "yes") zoom(graph.dataset.zoom === "no");
  };
  const groups = {};
  for (const group of svg.querySelectorAll("[data-part]")) groups[group.dataset.part] = group;
  const looks = [];
  for (const frame of frames) looks.push({ ...looks.at(-1), ...frame.parts });

  let step = 0;
  let timer = null;
  let started = false;
  // Who wants no motion steps by hand.
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  play.hidden = still;

  function show(number) {
    step = Math.min(Math.max(number, 0), last);
    for (const [part, look] of Object.entries(looks[step])) groups[part].innerHTML = look;
    for (const [index, text] of [...texts.children].entries()) {
      text.classList.toggle("now", index === step);
    }
    title.textContent = frames[step].title;
    slider.value = step;
    for (const [index, line] of [...program.children].entries()) {
      line.classList.toggle("now", index === frames[step].line);
    }
    slider.setAttribute("aria-valuetext", frames[step].title);
    const said = [frames[step].title, ...frames[step].text, ...frames[step].queue].join(". ");
    svg.setAttribute("aria-label", said);
    if (started) heard.textContent = said; // a page that has just come says nothing by itself
    started = true;
    follow();
  }

  // Where the graph is larger than its place, the box that acts comes into view.
  function follow() {
    const box = groups["b" + frames[step].at];
    if (box && graph.dataset.zoom === "yes") {
      const [seen, drawn] = [graph.getBoundingClientRect(), box.getBoundingClientRect()];
      if (drawn.top < seen.top || drawn.bottom > seen.bottom) {
        graph.scrollTop += drawn.top - seen.top - (seen.height - drawn.height) / 2;
      }
      if (drawn.left < seen.left || drawn.right > seen.right) {
        graph.scrollLeft += drawn.left - seen.left - (seen.width - drawn.width) / 2;
      }
    }
  }

  function pause() {
    clearInterval(timer);
    timer = null;
    play.textContent = "Play";
  }

  function toggle() {
    if (timer !== null) return pause();
    show(step === last ? 0 : step + 1);
    if (still) return;
    play.textContent = "Pause";
    timer = setInterval(() => (step < last && root.isConnected ? show(step + 1) : pause()), 2500);
  }

  function go(number) {
    pause();
    show(number);
  }

  back.onclick = () => go(step - 1);
  forth.onclick = () => go(step + 1);
  play.onclick = toggle;
  slider.oninput = () => go(slider.valueAsNumber);
  // On slides, a presenter's keys step as well, and after the last step they lead on through the deck.
  const inDeck = root.closest(".reveal") !== null;
  player.onkeydown = (event) => {
    const keys = {
      ArrowLeft: () => go(step - 1),
      ArrowRight: () => go(step + 1),
      ArrowUp: () => go(step - 1),
      ArrowDown: () => go(step + 1),
      Home: () => go(0),
      End: () => go(last),
      " ": event.target.tagName === "BUTTON" ? undefined : toggle,
    };
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (inDeck) {
      const way = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, " ": 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1 }[event.key];
      const stays = way === undefined ? keys[event.key] : step + way >= 0 && step + way <= last;
      if (!stays) {
        pause();
        document.activeElement.blur(); // so that the deck gets this key and those that follow
        return;
      }
      if (way) keys[event.key] = () => go(step + way);
    }
    event.stopPropagation();
    if (keys[event.key]) {
      event.preventDefault();
      keys[event.key]();
    }
  };
  zoom(false);
  pause();
  show(0);
})(document.currentScript);
