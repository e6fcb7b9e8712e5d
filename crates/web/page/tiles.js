// What tiles are called.

/** Label and full name of each tile of akioi, by its number; Judging is a ring. */
const AKIOI = new Map([
  [2, ['CE', 'Compile Error']],
  [4, ['', 'Judging']],
  [8, ['RE', 'Runtime Error']],
  [16, ['TLE', 'Time Limit Exceeded']],
  [32, ['MLE', 'Memory Limit Exceeded']],
  [64, ['ILE', 'Idleness Limit Exceeded']],
  [128, ['OLE', 'Output Limit Exceeded']],
  [256, ['UKE', 'UnKnown Error']],
  [512, ['WA', 'Wrong Answer']],
  [1024, ['PC', 'Partially Correct']],
  [2048, ['AC', 'ACcepted']],
  [4096, ['PE', 'Presentation Error']],
  [8192, ['DoJ', 'Denial of Judging']],
  [16384, ['SJE', 'Special Judge Error']],
  [32768, ['AU', 'AU']],
  [65536, ['AK', 'AK']],
  [-1, ['#pragma', '#pragma …']],
  [-2, ['-O2', '-O2']],
  [-4, ['-O3', '-O3']],
]);

/** The tiles of a variant, in the order of the legend. */
export function tilesOf(variant) {
  if (variant === 'akioi') return [...AKIOI.keys()];
  const top = variant === 'mini' ? 10 : 17;
  return Array.from({ length: top }, (_, idx) => 2 ** (idx + 1));
}

/** A tile's value as text: ×2 for a multiplier. */
export const valueText = (number) => (number < 0 ? `×${-number}` : String(number));

/** A tile's full name. */
export const fullName = (variant, number) =>
  (variant === 'akioi' ? AKIOI.get(number)[1] : valueText(number));

/** What a tile is called aloud, short. */
export function spokenName(variant, number) {
  if (variant !== 'akioi') return valueText(number);
  const [label, name] = AKIOI.get(number);
  return `${label || name} ${valueText(number)}`;
}

/** An element that looks like a tile. */
export function face(variant, number) {
  const element = document.createElement('div');
  const label = variant === 'akioi' ? AKIOI.get(number)[0] : String(number);
  element.className = `face ${variant === 'akioi' ? 'akioi' : 'classic'}`;
  element.dataset.tile = number;
  element.dataset.length = label.length;
  element.textContent = label;
  if (variant === 'akioi' && number === 4) element.classList.add('ring');
  if (number < 0) element.classList.add('multiplier');
  return element;
}

/** A small tile for lists, named for those who do not see it. */
export function chip(variant, number) {
  const element = document.createElement('span');
  element.className = 'chip';
  element.setAttribute('role', 'img');
  element.setAttribute('aria-label', spokenName(variant, number));
  element.title = `${fullName(variant, number)} ${valueText(number)}`;
  element.append(face(variant, number));
  return element;
}
