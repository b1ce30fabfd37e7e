// Measures whether the pictures of a page are drawn and its words can be read.

function light([red, green, blue]) {
  const linear = (value) => (value <= 10 ? value / 3294 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

// As WCAG defines it: 1 for two equal colours, 21 for black on white.
function contrast(one, other) {
  const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

// For each <img>: whether it is drawn, which part of it is transparent, and the strongest contrast
// to its ground, which is its most frequent color.
function pictures(images) {
  return Promise.all(images.map(async (image) => {
    await image.decode().catch(() => {}); // a broken one is reported below
    const { alt, naturalWidth: width, naturalHeight: height } = image;
    if (!image.complete || !width) return { alt, drawn: false, clear: 1, contrast: 1 };
    const pen = new OffscreenCanvas(width, height).getContext("2d");
    pen.drawImage(image, 0, 0, width, height);
    const { data } = pen.getImageData(0, 0, width, height);
    const colours = new Map();
    let clear = 0;
    for (let at = 0; at < data.length; at += 4) {
      const colour = (data[at] << 16) | (data[at + 1] << 8) | data[at + 2];
      if (data[at + 3] < 250) clear += 1;
      else colours.set(colour, (colours.get(colour) ?? 0) + 1);
    }
    const parts = (colour) => [colour >> 16, (colour >> 8) & 255, colour & 255];
    const [ground] = [...colours].reduce((most, each) => (each[1] > most[1] ? each : most), [0, 0]);
    let strongest = 1;
    for (const colour of colours.keys()) {
      strongest = Math.max(strongest, contrast(parts(colour), parts(ground)));
    }
    return { alt, drawn: true, clear: clear / (width * height), contrast: strongest };
  }));
}

// The number of texts in `roots`, and those with less contrast than WCAG requires.
function texts(roots) {
  const parsed = (colour) => {
    const [red, green, blue, alpha = 1] = colour.match(/^rgba?\((.*)\)$/)[1].split(",").map(Number);
    return { rgb: [red, green, blue], alpha };
  };
  const over = (above, alpha, below) => above.map((part, i) => alpha * part + (1 - alpha) * below[i]);
  const behind = (element) => {
    const box = element.closest("svg g")?.querySelector("rect"); // in a player's graph
    if (box) return parsed(getComputedStyle(box).fill).rgb;
    const layers = [];
    for (let each = element; each; each = each.parentElement) {
      layers.push(parsed(getComputedStyle(each).backgroundColor));
      if (layers.at(-1).alpha === 1) break;
    }
    return layers.reduceRight((below, { rgb, alpha }) => over(rgb, alpha, below), [255, 255, 255]);
  };
  const faint = [];
  let count = 0;
  for (const root of roots) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const words = walker.currentNode.data.trim(), element = walker.currentNode.parentElement;
      if (!words || element.closest("script, style, desc, metadata")) continue;
      count += 1;
      const style = getComputedStyle(element), ground = behind(element);
      let { rgb, alpha } = parsed(element instanceof SVGElement ? style.fill : style.color);
      for (let each = element; each; each = each.parentElement) {
        alpha *= Number(getComputedStyle(each).opacity);
      }
      const found = contrast(over(rgb, alpha, ground), ground);
      if (found < 4.5) faint.push(`${found.toFixed(1)}: ${words.slice(0, 60)}`);
    }
  }
  return { count, faint };
}
