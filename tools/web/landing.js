// The front page: how many answers were right at the first try, and a replay that begins when it is
// seen. What is said about an answer needs no script, but for readers whose browser has no `:has`.
(() => {
  const questions = [...document.querySelectorAll(".landing fieldset")];
  const score = document.querySelector(".landing .score");
  const first = new Map(); // whether the first answer was right, for each question
  for (const question of questions) {
    question.addEventListener("change", (event) => {
      const right = event.target.parentElement.hasAttribute("data-right");
      if (!first.has(question)) first.set(question, right);
      const count = [...first.values()].filter(Boolean).length;
      const all = first.size === questions.length;
      score.textContent = `${count} of ${first.size} right at the first try.`;
      if (all) score.textContent += count === questions.length
        ? " You know your autograd. Chapter 19 opens PyTorch’s engine."
        : " By the last chapter you can predict all of them and explain them.";
    });
  }

  const player = document.querySelector(".landing .minigrad-player");
  if (!player || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const seen = new IntersectionObserver(([entry]) => {
    if (!entry.isIntersecting) return;
    seen.disconnect();
    player.querySelector(".minigrad-play").click();
  }, { threshold: 0.6 });
  seen.observe(player);
})();
