// JupyterLab as the course needs it, in notebooks of the workbook: a question stays open until it is
// answered. What follows its card, up to the next heading, is folded; one answer unfolds it. The
// kernel writes the answer into progress.json (minigrad_course/ask/journal.py), and the page reads it there.
// The bar at the bottom says how many questions are answered, and how many exercises have passed.
//
// This is a prebuilt extension without a build: JupyterLab loads the file and takes the plugin from
// `window._JUPYTERLAB`. It uses no module of JupyterLab's, only the objects that a plugin gets.
(() => {
  "use strict";

  const COPY = "minigrad_copy_of"; // in the metadata of the reader's copies (desk/workbook.py)
  const ASKS = /^predict\(\s*["'](\d\d\.[a-z])["']/m;
  const CHECKS = /^check\(\s*["'](\d\d\.\d+)["']/m;
  const STYLE = new URL("style.css", document.currentScript.src).href;
  const FOLDED = "minigrad-folded", PARTLY = "minigrad-from-heading";

  /** Where in prose the first heading stands: "start", "later" or "nowhere". */
  function heading(source) {
    let fence = false;
    const lines = source.trim().split("\n");
    const found = lines.findIndex((line) => {
      if (/^\s*(```|~~~)/.test(line)) fence = !fence;
      return !fence && /^#{1,6} /.test(line);
    });
    return found === 0 ? "start" : found > 0 ? "later" : "nowhere";
  }

  function element(tag, properties = {}, ...children) {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  }

  /** Let keys do in the controls what they do on a web page: JupyterLab's mean cells. */
  function ownKeys(node) {
    for (const each of node.querySelectorAll("input, button")) each.dataset.lmSuppressShortcuts = "true";
  }

  /** Whether an open document is a reader's copy of a chapter. */
  function isCopy(context) {
    return Boolean(context?.model?.getMetadata?.(COPY));
  }

  /** The questions of one open notebook. */
  class Questions {
    constructor(app, panel, context) {
      Object.assign(this, { app, panel, context, answers: new Map(), shown: new Set(), exercises: {}, returned: null });
      this.isDisposed = false;
      context.ready.then(() => this.begin());
    }

    dispose() {
      this.isDisposed = true;
      this.observer?.disconnect();
    }

    async begin() {
      if (!isCopy(this.context)) return;
      const notebook = this.panel.content;
      this.fold(); // as if nothing were answered, until it is known
      notebook.model.cells.changed.connect(() => requestAnimationFrame(() => this.fold()));
      notebook.activeCellChanged.connect(() => this.returnToCard());
      this.observer = new MutationObserver(() => this.upgradeAll());
      this.observer.observe(notebook.node, { childList: true, subtree: true });
      const journal = await this.journal();
      this.answers = new Map(Object.entries(journal.predictions ?? {}));
      this.exercises = journal.exercises ?? {};
      this.fold();
      this.upgradeAll();
      this.panel.sessionContext.statusChanged.connect((_, status) => {
        if (status === "idle") this.reached();
      });
      this.app.shell.currentChanged?.connect(() => this.showProgress());
      this.showProgress();
    }

    /** What progress.json beside the notebook holds. */
    async journal() {
      const contents = this.app.serviceManager.contents;
      const folder = this.context.path.replace(/\/[^/]*$/, "");
      try {
        const { content } = await contents.get(folder, { content: true }); // JupyterLite has to be asked
        const file = content.find((each) => each.name === "progress.json");
        if (!file) return {};
        const model = await contents.get(file.path, { type: "file", format: "text", content: true });
        return JSON.parse(model.content);
      } catch {
        return {}; // the kernel says what is wrong with the file
      }
    }

    /** After something has run: an exercise may have passed. */
    async reached() {
      this.exercises = (await this.journal()).exercises ?? {};
      this.showProgress();
    }

    /** In the bar at the bottom: what is done in this chapter, while it is read. */
    showProgress() {
      const current = this.app.shell.currentWidget;
      if (this.isDisposed || (current !== this.panel && isCopy(current?.context))) return;
      const place = document.querySelector("#jp-main-statusbar .jp-StatusBar-Middle");
      if (!place) return;
      let line = place.querySelector(".minigrad-progress");
      if (!line) place.append((line = element("span", { className: "minigrad-progress" })));
      line.textContent = current === this.panel ? this.progress() : "";
    }

    progress() {
      const sources = this.panel.content.widgets
        .filter((cell) => cell.model.type === "code")
        .map((cell) => cell.model.sharedModel.getSource());
      const parts = [
        [ASKS, (id) => this.answers.has(id), "questions answered"],
        [CHECKS, (id) => this.exercises[id] === "passed", "exercises passed"],
      ].map(([pattern, done, words]) => {
        const ids = sources.map((source) => pattern.exec(source)?.[1]).filter(Boolean);
        return ids.length ? `${ids.filter(done).length} of ${ids.length} ${words}` : "";
      });
      return parts.filter(Boolean).join(" · ");
    }

    /** Hide what follows a question without an answer, up to the next heading. If a section begins
        right after the question, it holds the answer, and is hidden. */
    fold() {
      if (this.isDisposed) return;
      let card = null; // of the question that waits
      let before = null;
      const bars = new Map(); // cell → the question that waits there, and how many cells it folds
      for (const cell of this.panel.content.widgets) {
        const source = cell.model.sharedModel.getSource();
        let section = cell.model.type === "markdown" ? heading(source) : "nowhere";
        if (section === "start" && before !== null && before === card) section = "nowhere";
        before = cell;
        if (section === "start") card = null;
        const hide = card !== null && section !== "later";
        if (hide) bars.get(card).count += 1;
        if (hide || cell.hasClass(FOLDED)) cell.setHidden(hide);
        cell.toggleClass(FOLDED, hide);
        cell.toggleClass(PARTLY, card !== null && section === "later");
        if (section === "later") card = null;
        const asked = cell.model.type === "code" && cell.model.trusted && ASKS.exec(source);
        const waits = Boolean(asked) && !this.answers.has(asked[1]) && !this.shown.has(asked[1]);
        bars.set(cell, { id: waits && !hide ? asked[1] : "", count: 0 });
        if (waits && card === null) card = cell;
      }
      for (const [cell, { id, count }] of bars) this.bar(cell, id, count);
    }

    /** Below the card: what is folded, and a way to see it without an answer. */
    bar(cell, id, count) {
      const bar = cell.node.querySelector(":scope > .minigrad-strip[data-id]");
      if (bar && bar.dataset.id === id && bar.dataset.count === String(count)) return;
      bar?.remove();
      if (!id) return;
      const button = element("button", { type: "button", textContent: "Show it without an answer" });
      button.onclick = () => {
        this.shown.add(id);
        this.fold();
      };
      const folded = ["what follows is", "the next cell is"][count] ?? `the next ${count} cells are`;
      const words = `Run this cell and answer its question. Until then ${folded} folded. `;
      const made = element("div", { className: "minigrad-strip" }, words, button);
      Object.assign(made.dataset, { id, count });
      ownKeys(made);
      cell.node.append(made);
    }

    /** Shift+Enter goes on to the next cell: if that is folded, back to the question. */
    returnToCard() {
      const notebook = this.panel.content;
      if (!notebook.activeCell?.hasClass(FOLDED)) return;
      let place = notebook.activeCellIndex;
      while (place > 0 && notebook.widgets[place].hasClass(FOLDED)) place -= 1;
      this.returned = notebook.widgets[place];
      requestAnimationFrame(() => {
        notebook.activeCellIndex = place;
        this.focusCard();
      });
    }

    /** Give the question the focus that its cell has just lost. */
    focusCard() {
      const control = this.returned?.node.querySelector(".minigrad-question :is(input, button)");
      if (!control) return;
      this.returned = null;
      control.focus();
    }

    /** Make questions of the cards that have none yet. */
    upgradeAll() {
      const cards = this.panel.content.node.querySelectorAll(".minigrad-prediction:not([data-asked])");
      for (const card of cards) this.upgrade(card);
      if (cards.length) this.focusCard();
    }

    /** In place of answers that can all be opened: one choice, and then what there is to say. */
    upgrade(card) {
      const { id, right } = card.dataset;
      const options = [...card.querySelectorAll("details")].map((each, place) => ({
        letter: String.fromCharCode(97 + place),
        label: each.querySelector("summary").innerHTML,
        why: each.querySelector("summary + div").innerHTML,
      }));
      card.dataset.asked = "true";
      const alone = options.length === 1;
      const legend = element("legend");
      const box = card.firstElementChild;
      while (box.firstChild && box.firstChild.nodeName !== "DETAILS") legend.append(box.firstChild);
      box.replaceChildren();
      card.replaceChildren(box);

      const form = element("form", { className: "minigrad-question" });
      const choices = element("fieldset", {}, legend);
      const name = `prediction-${id}-${Math.random()}`;
      for (const { letter, label } of alone ? [] : options) {
        const radio = element("input", { type: "radio", name, value: letter, required: true });
        choices.append(element("label", {}, radio, element("span", { innerHTML: label })));
      }
      const answer = element("button", { type: "submit", textContent: "Answer" });
      if (alone) answer.innerHTML = options[0].label;
      const clear = element("button", { type: "button", textContent: "Clear my answer" });
      const verdict = element("div", { className: "minigrad-verdict" });
      verdict.setAttribute("role", "status");
      verdict.setAttribute("aria-live", "polite");
      form.append(choices, answer, verdict, clear);
      box.append(form);
      ownKeys(form);

      const show = (letter) => {
        const chosen = options.find((each) => each.letter === letter);
        for (const radio of choices.querySelectorAll("input")) {
          radio.disabled = Boolean(chosen);
          radio.checked = radio.value === letter;
        }
        answer.hidden = Boolean(chosen);
        clear.hidden = !chosen;
        verdict.replaceChildren();
        if (!chosen) return;
        const said = alone ? "You have written it down." : `You said (${letter}).`;
        verdict.append(element("p", { textContent: said }));
        verdict.append(element("div", { innerHTML: chosen.why }));
        if (letter === right) return;
        const best = options.find((each) => each.letter === right); // its "Yes" is for who chose it
        verdict.append(element("p", { innerHTML: `The answer is ${best.label.replace(/\.$/, "")}.` }));
        verdict.append(element("div", { innerHTML: best.why.replace("✓ Yes. ", "") }));
      };
      form.onsubmit = (event) => {
        event.preventDefault();
        const letter = alone ? "a" : form.querySelector("input:checked").value;
        this.answers.set(id, letter);
        show(letter);
        form.closest(".jp-Cell")?.focus({ preventScroll: true }); // where Shift+Enter goes on
        this.keep(id, letter, verdict);
      };
      clear.onclick = () => {
        this.answers.delete(id);
        this.shown.delete(id);
        show(undefined);
        form.querySelector("input, button").focus({ preventScroll: true });
        this.keep(id, "", verdict);
      };
      show(this.answers.get(id));
    }

    /** Fold or unfold, and let the kernel write the answer down; an empty one is forgotten. */
    async keep(id, letter, verdict) {
      this.fold();
      this.showProgress();
      const code = `__import__("minigrad_course").ask.predictions.keep_answer("${id}", "${letter}")`;
      const kernel = this.panel.sessionContext.session?.kernel;
      const asked = kernel?.requestExecute({ code, silent: true, store_history: false });
      const reply = await asked?.done.catch(() => null);
      if (reply?.content.status === "ok") return;
      verdict.append(element("p", { textContent: "This is not kept: there is no kernel to write it down." }));
    }
  }

  const plugin = {
    id: "minigrad-course:plugin",
    autoStart: true,
    activate(app) {
      document.head.append(element("link", { rel: "stylesheet", href: STYLE }));
      app.docRegistry.addWidgetExtension("Notebook", {
        createNew: (panel, context) => new Questions(app, panel, context),
      });
    },
  };
  const container = { init() {}, get: async () => () => ({ __esModule: true, default: plugin }) };
  (window._JUPYTERLAB ??= {})["minigrad-course"] = container;
})();
