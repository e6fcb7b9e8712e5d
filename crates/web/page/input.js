// Slides from keys and fingers.

const KEYS = new Map([
  ['ArrowUp', 'up'], ['ArrowRight', 'right'], ['ArrowDown', 'down'], ['ArrowLeft', 'left'],
  ['KeyW', 'up'], ['KeyD', 'right'], ['KeyS', 'down'], ['KeyA', 'left'],
  ['KeyK', 'up'], ['KeyL', 'right'], ['KeyJ', 'down'], ['KeyH', 'left'],
]);

/** Pixels after which a movement is a swipe. */
const SWIPE_PX = 22;
/** How much longer than wide, or wider than long, a swipe has to be. */
const STRAIGHT = 1.6;

/** Whether a key is meant for a field, a choice or a question, and not the game. */
const isTyping = (target) =>
  target.closest?.('input, select, textarea, dialog') !== null || document.querySelector('dialog[open]') !== null;

/**
 * Calls `slide` for every key and swipe while `isOn()`. Swipes may begin
 * anywhere on the page; diagonal ones are nobody's.
 */
export function listen(isOn, slide) {
  document.addEventListener('keydown', (event) => {
    const direction = KEYS.get(event.code);
    if (!direction || event.ctrlKey || event.altKey || event.metaKey || !isOn() || isTyping(event.target)) return;
    // The page stays where it is.
    event.preventDefault();
    slide(direction);
  });

  let start = null;
  document.addEventListener('pointerdown', (event) => {
    const isTouch = event.pointerType !== 'mouse' && event.isPrimary;
    const isControl = event.target.closest?.('button, a, input, select, dialog') !== null;
    start = isTouch && isOn() && !isControl ? { x: event.clientX, y: event.clientY } : null;
  });
  document.addEventListener('pointermove', (event) => {
    if (!start || !event.isPrimary) return;
    const direction = directionOf(event.clientX - start.x, event.clientY - start.y);
    if (direction) {
      // One slide for each touch, as soon as it is clear which.
      start = null;
      slide(direction);
    }
  });
  for (const end of ['pointerup', 'pointercancel']) {
    document.addEventListener(end, () => { start = null; });
  }
}

function directionOf(x, y) {
  const [wide, high] = [Math.abs(x), Math.abs(y)];
  if (Math.max(wide, high) < SWIPE_PX) return null;
  if (wide > high * STRAIGHT) return x > 0 ? 'right' : 'left';
  if (high > wide * STRAIGHT) return y > 0 ? 'down' : 'up';
  return null;
}
