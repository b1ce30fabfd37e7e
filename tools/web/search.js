// Adds to each page that Sphinx's search finds the sections with the words, and an excerpt of each; pages
// with better sections move up. Sphinx itself would fetch the pages to make excerpts, which browsers do
// not allow for pages on a disk.
(() => {
  const list = document.getElementById("search-results");
  if (!list) return;
  const asked = new URLSearchParams(location.search).get("q") ?? "";
  const words = asked.toLowerCase().split(/\s+/).filter(Boolean);
  const MOST = 3; // sections of one page

  function make(parent, tag, text = "") {
    const element = parent.appendChild(document.createElement(tag));
    element.textContent = text;
    return element;
  }

  // A section counts if it has all the words. Words in its heading weigh more than many in its text, and so
  // does the whole query in one piece, such as a pasted message. A section also gains if it answers a
  // question with these words.
  function score(page, [id, heading, text]) {
    const [title, all] = [heading.toLowerCase(), `${heading} ${text}`.toLowerCase()];
    const times = words.map((word) => all.split(word).length - 1);
    if (times.includes(0)) return 0;
    const often = times.reduce((sum, each) => sum + Math.min(each, 5), 0) / words.length;
    const named = words.filter((word) => title.includes(word)).length / words.length;
    const answers = ANSWERS.some(([question, ...sections]) =>
      words.every((word) => question.includes(word)) && sections.includes(`${page}#${id}`));
    return often + 10 * named + 20 * all.includes(words.join(" ")) + 10 * answers;
  }

  // Chapters explain and lists link to them; other pages, such as the teacher's guide, only mention things.
  function weight(page) {
    return /^notebooks\/\d/.test(page) ? 1 : page.startsWith("docs/") ? 0.9 : 0.4;
  }

  function excerpt(parent, text) {
    const places = [words.join(" "), ...words].map((each) => text.toLowerCase().indexOf(each));
    const first = places.find((place) => place >= 0);
    if (first === undefined) return;
    const start = first < 60 ? 0 : text.lastIndexOf(" ", first - 50) + 1;
    const end = start + 200 < text.length ? text.lastIndexOf(" ", start + 200) : text.length;
    const line = make(parent, "p", start ? "… " : "");
    for (const [index, part] of split(text.slice(start, end)).entries()) {
      if (index % 2) make(line, "mark", part);
      else line.append(part);
    }
    if (end < text.length) line.append(" …");
  }

  // Alternates other text and matches; the whole query takes precedence over its words.
  function split(text) {
    const texts = [words.join(" "), ...[...words].sort((one, other) => other.length - one.length)];
    const escaped = texts.map((each) => each.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    return text.split(new RegExp(`(?<!\\w)(${escaped.join("|")})`, "i"));
  }

  const points = new Map(); // each result's best score

  function show(item) {
    if (points.has(item)) return; // moved, not new
    const [file, anchor] = item.querySelector("a").getAttribute("href").split("#");
    const page = file.replace(/\.html$/, "");
    const best = (TEXTS[page] ?? [])
      .filter(([id]) => !anchor || id === anchor)
      .map((section) => [score(page, section), section])
      .filter(([points]) => points)
      .sort(([one], [other]) => other - one);
    const inner = make(item, "ul");
    inner.className = "sections";
    for (const [, [id, heading, text]] of best.slice(0, MOST)) {
      const entry = make(inner, "li");
      if (!anchor) make(entry, "a", heading).href = `${file}#${id}`;
      excerpt(entry, text);
    }
    points.set(item, best.length ? best[0][0] * weight(page) : 0);
    const later = [...item.parentElement.children].find(
      (other) => points.has(other) && points.get(other) < points.get(item),
    );
    if (later) later.before(item);
  }

  const texts = document.createElement("script");
  texts.src = new URL("texts.js", document.currentScript.src);
  texts.onload = () => {
    list.querySelectorAll("ul.search > li").forEach(show);
    new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes) {
        if (target.matches("ul.search")) addedNodes.forEach(show);
      }
    }).observe(list, { childList: true, subtree: true });
  };
  document.head.append(texts);
})();
