// Starts reveal.js. Slides have a fixed size, so margins are the slides' own. Sections are columns in
// the overview (O), and yet the arrows lead to every slide, in order.
Reveal.initialize({
  width: 1280,
  height: 720,
  margin: 0,
  minScale: 0.1,
  maxScale: 8,
  center: false,
  hash: true,
  navigationMode: "linear",
  transition: "none",
  backgroundTransition: "none",
  controlsTutorial: false,
  totalTime: Number(document.documentElement.dataset.seconds),
  plugins: [RevealNotes],
});
