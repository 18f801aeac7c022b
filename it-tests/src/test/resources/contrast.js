// The texts on the page whose contrast is below WCAG AA.
const colour = (text) => {
  const parts = text.match(/[\d.]+/g).map(Number);
  return { r: parts[0], g: parts[1], b: parts[2], a: parts.length > 3 ? parts[3] : 1 };
};
const over = (top, below) => ({
  r: top.r * top.a + below.r * (1 - top.a),
  g: top.g * top.a + below.g * (1 - top.a),
  b: top.b * top.a + below.b * (1 - top.a),
  a: 1,
});
const ground = (element) => {
  const layers = [];
  for (let at = element; at; at = at.parentElement) {
    const background = colour(getComputedStyle(at).backgroundColor);
    layers.push(background);
    if (background.a === 1) break;
  }
  return layers.reverse().reduce((below, top) => over(top, below), { r: 255, g: 255, b: 255, a: 1 });
};
const luminance = ({ r, g, b }) => [r, g, b]
  .map((value) => value / 255)
  .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
  .reduce((sum, value, i) => sum + value * [0.2126, 0.7152, 0.0722][i], 0);

const bad = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
  const element = node.parentElement;
  const style = getComputedStyle(element);
  if (!node.data.trim() || !element.checkVisibility() || element.closest('noscript, :disabled')) continue;
  const below = ground(element);
  const [high, low] = [luminance(over(colour(style.color), below)), luminance(below)].sort((a, b) => b - a);
  const ratio = (high + 0.05) / (low + 0.05);
  const size = parseFloat(style.fontSize);
  const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
  if (ratio < (isLarge ? 3 : 4.5)) bad.push(`${node.data.trim().slice(0, 40)}: ${ratio.toFixed(2)}`);
}
return bad.join('\n');
