// JupyterLab as the course needs it, in notebooks of the workbook. A question stays open until the
// reader has found the right answer: what follows its card, up to the next heading, is folded until
// then. The kernel writes the answer to progress.json (minigrad_course/ask/journal.py), and the page
// reads it from there. The bar at the bottom says how many questions are answered, and how many
// exercises have passed. A notebook opens at the place where the reader left it.
// Outside the workbook, too, cells that build the library are marked. In the edition for the browser,
// a message says when Python cannot be fetched.
//
// This is a prebuilt extension without a build: JupyterLab loads the file and takes the plugin from
// `window._JUPYTERLAB`. It imports none of JupyterLab's modules and uses only the objects that a plugin
// gets.
(() => {
  "use strict";

  const COPY = "minigrad_copy_of"; // in the metadata of the reader's copies (desk/workbook.py)
  const ASKS = /^predict\(\s*["'](\d\d\.[a-z])["']/m;
  const CHECKS = /^check\(\s*["'](\d\d\.\d+)["']/m;
  const TITLE = /^# ?@title /;
  const STYLE = new URL("style.css", document.currentScript.src).href;
  const PROGRESS = "progress.json";
  const FOLDED = "minigrad-folded", PARTLY = "minigrad-from-heading";

  /** Where in prose the first heading is: "start", "later" or "nowhere". */
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

  /** A control in which keys do what they do on a web page; JupyterLab would apply them to the cell. */
  function control(tag, properties, ...children) {
    const made = element(tag, properties, ...children);
    made.dataset.lmSuppressShortcuts = "true";
    return made;
  }

  function button(properties, ...children) {
    return control("button", { type: "button", className: "minigrad-button", ...properties }, ...children);
  }

  /** Whether a question has run outside a workbook, where no answers are kept, so nobody can answer it. */
  function opensByItself(cell) {
    const { executionCount, outputs } = cell.model;
    return executionCount !== null && !JSON.stringify(outputs.toJSON()).includes("minigrad-prediction");
  }

  /** Whether an open document is a reader's copy of a chapter. */
  function isCopy(context) {
    return Boolean(context?.model?.getMetadata?.(COPY));
  }

  /** The questions of one open notebook. */
  class Questions {
    constructor(app, panel, context) {
      Object.assign(this, { app, panel, context, exercises: {}, returned: null });
      this.answers = new Map(); // id → the letters that were tried, up to the right one
      this.tried = new Map(); // id → the letters that are open on the card
      this.skipped = new Set();
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
      let waiting; // until no cell has run for a moment
      this.panel.sessionContext.statusChanged.connect((_, status) => {
        if (status !== "idle") return;
        clearTimeout(waiting);
        waiting = setTimeout(() => this.reached(), 200);
      });
      this.app.shell.currentChanged?.connect(() => this.showProgress());
      this.showProgress();
    }

    /** What the file of progress beside the notebook holds. */
    async journal() {
      const contents = this.app.serviceManager.contents;
      const folder = this.context.path.replace(/\/?[^/]*$/, ""); // "" if it is the server's own
      try {
        const { content } = await contents.get(folder, { content: true }); // JupyterLite omits it by default
        const file = content.find((each) => each.name === PROGRESS);
        if (!file) return {};
        const model = await contents.get(file.path, { type: "file", format: "text", content: true });
        return JSON.parse(model.content);
      } catch {
        return {}; // the kernel reports what is wrong with the file
      }
    }

    /** After something has run: an exercise may have passed, or a question may have opened. */
    async reached() {
      this.fold();
      this.exercises = (await this.journal()).exercises ?? {};
      this.showProgress();
    }

    /** Show in the bar at the bottom what is done in this chapter, as long as it is in front. */
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
        right after the question, it has the answer, so it is hidden as well. */
    fold() {
      if (this.isDisposed) return;
      let card = null; // of the question that has no answer yet
      let before = null;
      const bars = new Map(); // cell → its question that has no answer, and how many cells that folds
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
        const waits = asked && !opensByItself(cell) && !this.answers.has(asked[1]) && !this.skipped.has(asked[1]);
        bars.set(cell, { id: waits && !hide ? asked[1] : "", count: 0 });
        if (waits && card === null) card = cell;
      }
      for (const [cell, { id, count }] of bars) this.bar(cell, id, count);
    }

    /** Say below the card what the answer reveals, with a button that reveals it without one. */
    bar(cell, id, count) {
      const bar = cell.node.querySelector(":scope > .minigrad-strip[data-id]");
      const first = cell.node.querySelector(".minigrad-prediction") ? "Answer the" : "Run this cell and answer its";
      const cells = ["what follows", "the next cell"][count] ?? `the next ${count} cells`;
      const words = `${first} question to reveal ${cells}.`;
      if (bar && bar.dataset.id === id && bar.firstChild.textContent === words) return;
      bar?.remove();
      if (!id) return;
      const skip = button({ textContent: "Skip this question" });
      skip.onclick = () => {
        this.skipped.add(id);
        cell.node.focus({ preventScroll: true });
        this.fold();
      };
      const made = element("div", { className: "minigrad-strip" }, element("span", { textContent: words }), skip);
      made.dataset.id = id;
      cell.node.append(made);
    }

    /** Shift+Enter moves to the next cell; if that one is folded, move back to the question. */
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
      const options = this.returned?.node.querySelector(".minigrad-options");
      if (!options) return;
      this.returned = null;
      options.focus();
    }

    /** Turn the cards that are not questions yet into questions. */
    upgradeAll() {
      const cards = this.panel.content.node.querySelectorAll(".minigrad-prediction:not([data-asked])");
      for (const card of cards) this.upgrade(card);
      if (!cards.length) return;
      this.fold(); // the cell of a question has run
      this.focusCard();
    }

    /** Replace the answers, which can all be opened, by a choice that says why and can be made again. */
    upgrade(card) {
      const { id, right } = card.dataset;
      card.dataset.asked = "true";
      const box = card.firstElementChild;
      const asked = element("div");
      const options = control("div", { className: "minigrad-options", tabIndex: -1, role: "group" });
      const choices = [...box.querySelectorAll("details")].map((each, place) => {
        const letter = String.fromCharCode(97 + place);
        const option = button({ innerHTML: each.querySelector("summary").innerHTML });
        const why = element("div", { className: "minigrad-why", role: "status" });
        option.onclick = () => choose(letter);
        options.append(option, why);
        return { letter, option, why, said: each.querySelector("summary + div").innerHTML };
      });
      while (box.firstChild.nodeName !== "DETAILS") asked.append(box.firstChild);
      options.ariaLabel = asked.textContent;
      const show = button({ textContent: "Show the answer", onclick: () => choose(right, true) });
      const clear = button({ textContent: "Clear my answer" });
      const trouble = element("div", { role: "status" });
      box.replaceChildren(asked, options, show, clear, trouble);
      card.replaceChildren(box);
      card.classList.add("minigrad-question");

      const draw = () => {
        const tried = this.tried.get(id) ?? this.answers.get(id) ?? "";
        for (const { letter, option, why, said } of choices) {
          const open = tried.includes(letter);
          const verdict = open ? (letter === right ? "right" : "wrong") : "";
          if (option.dataset.verdict === verdict) continue;
          option.dataset.verdict = verdict;
          why.innerHTML = open ? said.replace(/[✓✗] /, "") : ""; // the button has the sign
        }
        show.hidden = !tried || this.answers.has(id);
        clear.hidden = !this.answers.has(id);
      };
      const choose = (letter, given = false) => {
        const tried = this.tried.get(id) ?? this.answers.get(id) ?? "";
        if (!tried.includes(letter)) this.tried.set(id, tried + letter);
        const first = letter === right && !this.answers.has(id);
        if (first) this.answers.set(id, tried + letter);
        draw();
        const praise = given && choices.find((each) => each.letter === right).why.querySelector("p").firstChild;
        if (praise) praise.data = praise.data.replace("Right. ", ""); // the reader did not find it
        if (!first) return;
        card.closest(".jp-Cell")?.focus({ preventScroll: true }); // so that Shift+Enter continues there
        this.keep(id, tried + letter, trouble);
      };
      clear.onclick = () => {
        for (const each of [this.answers, this.tried, this.skipped]) each.delete(id);
        draw();
        options.focus({ preventScroll: true });
        this.keep(id, "", trouble);
      };
      card.onkeydown = (event) => {
        const buttons = choices.map(({ option }) => option);
        const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
        const place = buttons.indexOf(document.activeElement);
        if (event.key === "Enter" && event.shiftKey) {
          card.closest(".jp-Cell")?.focus({ preventScroll: true });
          this.app.commands.execute("notebook:run-cell-and-select-next");
        } else if (step && (place >= 0 || document.activeElement === options)) {
          buttons.at((place < 0 && step < 0 ? 0 : place + step) % buttons.length).focus();
        } else return;
        event.preventDefault();
      };
      draw();
    }

    /** Fold or unfold, and let the kernel save the answer; an empty one deletes what was saved. */
    async keep(id, letters, trouble) {
      this.fold();
      this.showProgress();
      const code = `__import__("minigrad_course").ask.predictions.keep_answer("${id}", "${letters}")`;
      const kernel = this.panel.sessionContext.session?.kernel;
      const asked = kernel?.requestExecute({ code, silent: true, store_history: false });
      const reply = await asked?.done.catch(() => null);
      const saved = reply?.content.status === "ok";
      trouble.textContent = saved ? "" : "Your answer could not be saved, because no kernel is running.";
    }
  }

  /** Opens one notebook where the reader left it, or at the section to which a link has led. */
  class Place {
    constructor(panel, context) {
      Object.assign(this, { panel, context, isDisposed: false, section: "" });
      const setFragment = panel.setFragment.bind(panel);
      panel.setFragment = (fragment) => {
        this.section = decodeURIComponent(fragment.slice(1));
        setFragment(fragment);
      };
      context.ready.then(() => this.begin());
    }

    dispose() {
      this.isDisposed = true;
    }

    get key() {
      return `minigrad place in ${this.context.path}`;
    }

    async begin() {
      if (!isCopy(this.context)) return;
      await this.panel.revealed;
      const outer = this.panel.content.outerNode;
      const kept = JSON.parse(localStorage.getItem(this.key) ?? "null");
      if (kept || this.section) await this.scrollTo(kept, outer);
      let waiting;
      outer.addEventListener("scroll", () => {
        clearTimeout(waiting);
        waiting = setTimeout(() => this.note(outer), 300);
      });
    }

    /** The cell at the top of the window, and how far above it begins. */
    note(outer) {
      if (this.isDisposed || !outer.clientHeight) return; // its tab is in the background
      const top = outer.getBoundingClientRect().top;
      for (const cell of this.panel.content.widgets) {
        const { bottom, top: start, height } = cell.node.getBoundingClientRect();
        if (!height || bottom <= top + 20) continue;
        localStorage.setItem(this.key, JSON.stringify({ cell: cell.model.id, above: top - start }));
        return;
      }
    }

    /** Scroll again until the cells above have their final height, or until the reader acts. JupyterLab
        scrolls to a section only once, before the headings exist. */
    async scrollTo(kept, outer) {
      const notebook = this.panel.content;
      let acted = false;
      for (const each of ["wheel", "keydown", "pointerdown"]) {
        outer.addEventListener(each, () => (acted = true), { capture: true, once: true });
      }
      for (let still = 0, tries = 0; still < 5 && tries < 50 && !acted; tries += 1) {
        const heading = outer.querySelector(`[data-jupyter-id="${CSS.escape(this.section)}"]`);
        const index = notebook.widgets.findIndex(({ node, model }) =>
          this.section ? node.contains(heading) : model.id === kept.cell);
        if (index >= 0) {
          if (notebook.activeCellIndex !== index) notebook.activeCellIndex = index;
          const place = this.section ? heading : notebook.widgets[index].node;
          const above = this.section ? -10 : kept.above;
          const missing = place.getBoundingClientRect().top - outer.getBoundingClientRect().top + above;
          outer.scrollTop += missing; // which does nothing while the notebook has no height yet
          still = Math.abs(missing) < 2 ? still + 1 : 0;
        }
        await new Promise((resolve) => setTimeout(resolve, 100));
        if (this.isDisposed) return;
      }
    }
  }

  /** Marks the cells of one open notebook that build the library, and gives folded ones a title. */
  class Library {
    constructor(panel, context) {
      this.panel = panel;
      this.isDisposed = false;
      context.ready.then(() => this.begin());
    }

    dispose() {
      this.isDisposed = true;
      this.observer?.disconnect();
    }

    begin() {
      const notebook = this.panel.content;
      this.observer = new MutationObserver(() => this.mark());
      this.observer.observe(notebook.node, { childList: true, subtree: true });
      this.mark();
    }

    mark() {
      for (const cell of this.panel.content.widgets) {
        const tags = cell.model.getMetadata("tags") ?? [];
        cell.toggleClass("minigrad-library", tags.some((tag) => tag.startsWith("lib:")));
        const title = cell.inputHidden && cell.node.querySelector(".jp-InputPlaceholder .jp-Placeholder-content");
        if (title) this.open(title);
      }
    }

    /** Let a title open by keyboard too, and remove the word from it that only Colab needs. */
    open(title) {
      const text = title.querySelector(".jp-PlaceholderText");
      if (TITLE.test(text.textContent)) text.textContent = text.textContent.replace(TITLE, "");
      if (title.dataset.lmSuppressShortcuts) return;
      Object.assign(title, { tabIndex: 0, role: "button", ariaExpanded: "false" });
      title.dataset.lmSuppressShortcuts = "true"; // of cells
      title.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        title.click();
      });
    }
  }

  const PATIENCE = 7; // seconds
  const KERNEL = "@jupyterlite/pyodide-kernel-extension:kernel";

  /** In the edition for the browser, Python is fetched from another server. If that fails, JupyterLite
      waits silently, so this says why no cell runs. */
  async function lookForPython() {
    const settings = JSON.parse(document.getElementById("jupyter-config-data")?.textContent ?? "{}");
    const place = settings.litePluginSettings?.[KERNEL]?.pyodideUrl;
    if (!place) return; // JupyterLab with a server
    const { href, host } = new URL(place, location.href);
    const answer = await fetch(href, { signal: AbortSignal.timeout(1000 * PATIENCE) }).catch(() => null);
    if (answer?.ok) return;
    const words = [
      ["strong", "Python could not be loaded, so no cell can run."],
      ["p", `The browser loads it from ${host}, which it could not reach. Check your connection, and try again.`],
      ["p", `If your school or company filters its network, ask them to allow ${host}. You can also run the course on your own machine, as README.md in the folder above this one explains.`],
    ].map(([tag, textContent]) => element(tag, { textContent }));
    const again = button({ textContent: "Try again", onclick: () => location.reload() });
    const close = button({ textContent: "Close", onclick: () => box.remove() });
    const box = element("div", { className: "minigrad-no-python", role: "alert" }, ...words, again, close);
    document.body.append(box);
  }

  const plugin = {
    id: "minigrad-course:plugin",
    autoStart: true,
    activate(app) {
      document.head.append(element("link", { rel: "stylesheet", href: STYLE }));
      lookForPython();
      app.docRegistry.addWidgetExtension("Notebook", {
        createNew: (panel, context) => new Questions(app, panel, context),
      });
      app.docRegistry.addWidgetExtension("Notebook", {
        createNew: (panel, context) => new Place(panel, context),
      });
      app.docRegistry.addWidgetExtension("Notebook", {
        createNew: (panel, context) => new Library(panel, context),
      });
    },
  };
  const container = { init() {}, get: async () => () => ({ __esModule: true, default: plugin }) };
  (window._JUPYTERLAB ??= {})["minigrad-course"] = container;
})();
