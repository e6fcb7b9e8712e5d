// A board that shows what the server says happened. It knows no rules: where
// each tile goes, and what appears, comes with the answer.

import { face } from './tiles.js';

const SLIDE_MS = 100;
const calm = matchMedia('(prefers-reduced-motion: reduce)');

const wait = (ms) => new Promise((done) => setTimeout(done, ms));

export class Board {
  constructor(element, table) {
    this.element = element;
    this.table = table;
    this.tiles = new Map();
    this.variant = null;
  }

  /** Shows a board as it is, without any motion. */
  show(variant, rows, spoken) {
    if (this.variant !== variant || this.side !== rows.length) this.#lay(variant, rows.length);
    this.element.classList.add('at-once');
    for (const tile of this.tiles.values()) tile.remove();
    this.tiles.clear();
    rows.flat().forEach((number, cell) => {
      if (number !== 0) this.#put(cell, number, '');
    });
    this.#write(rows, spoken);
  }

  /** Shows a slide, then the board as it is; at once if `hurries`. */
  async play(step, rows, spoken, hurries) {
    if (hurries || calm.matches) {
      this.show(this.variant, rows, spoken);
      return;
    }
    this.element.classList.remove('at-once');
    // One look at the layout, so that tiles start where they are.
    void this.element.offsetWidth;
    const moved = new Map();
    const gone = [];
    for (const [from, to] of step.tracks) {
      const tile = this.tiles.get(from);
      if (!tile) continue;
      this.#place(tile, to);
      tile.classList.remove('new', 'merged');
      if (moved.has(to)) gone.push(tile, moved.get(to));
      moved.set(to, tile);
    }
    this.tiles = moved;
    if (step.tracks.some(([from, to]) => from !== to)) await wait(SLIDE_MS);
    for (const tile of gone) tile.remove();
    const numbers = rows.flat();
    for (const [cell, tile] of this.tiles) {
      if (gone.includes(tile)) this.#put(cell, numbers[cell], 'merged');
    }
    if (step.spawn) this.#put(step.spawn.cell, step.spawn.tile, 'new');
    if (!this.#shows(numbers)) this.show(this.variant, rows, spoken);
    this.#write(rows, spoken);
  }

  /** A slide that changes nothing. */
  bump() {
    this.element.classList.remove('bump');
    void this.element.offsetWidth;
    this.element.classList.add('bump');
  }

  /** Points where a hint says, until the next slide. */
  point(direction) {
    this.unpoint();
    const pointer = document.createElement('div');
    pointer.className = `pointer ${direction}`;
    pointer.innerHTML = '<svg viewBox="0 0 24 24"><path fill="currentColor" stroke="#fff" stroke-width="1" d="M12 2 3 12h5v10h8V12h5z"/></svg>';
    this.element.append(pointer);
  }

  unpoint() {
    this.element.querySelector('.pointer')?.remove();
  }

  #lay(variant, side) {
    this.variant = variant;
    this.side = side;
    this.element.style.setProperty('--n', side);
    this.element.replaceChildren();
    this.tiles.clear();
    for (let cell = 0; cell < side * side; cell += 1) {
      const hole = document.createElement('div');
      hole.className = 'hole';
      this.#place(hole, cell);
      this.element.append(hole);
    }
  }

  #place(element, cell) {
    element.style.setProperty('--x', cell % this.side);
    element.style.setProperty('--y', Math.floor(cell / this.side));
    element.dataset.cell = cell;
  }

  #put(cell, number, kind) {
    const tile = document.createElement('div');
    tile.className = `tile ${kind}`;
    tile.dataset.number = number;
    tile.append(face(this.variant, number));
    this.#place(tile, cell);
    this.element.append(tile);
    this.tiles.set(cell, tile);
  }

  #shows(numbers) {
    return numbers.every((number, cell) => Number(this.tiles.get(cell)?.dataset.number ?? 0) === number);
  }

  /** The board as a table, for those who do not see it. */
  #write(rows, spoken) {
    const lines = rows.map((row) => {
      const line = document.createElement('tr');
      for (const number of row) line.insertCell().textContent = number === 0 ? spoken.empty : spoken.tile(number);
      return line;
    });
    this.table.tBodies[0].replaceChildren(...lines);
  }
}
