// The view in which a listed game is gone through again.

import * as api from './api.js';
import { Board } from './board.js';
import { $, persist, spoken } from './common.js';
import { number, t } from './i18n.js';

/** Positions that are fetched at a time. */
const PAGE = 256;
const PLAY_MS = 320;

let board;
let record = null;
let about = null;
let pages = new Map();
let at = 0;
let asked = 0;
let timer = null;

/** Prepares the view. */
export function prepare() {
  board = new Board($('replayBoard'), $('replayCells'));
  $('toFirst').onclick = () => go(0);
  $('toPrevious').onclick = () => go(at - 1);
  $('toNext').onclick = () => go(at + 1);
  $('toLast').onclick = () => go(about.slides);
  $('toPlay').onclick = () => (timer === null ? play() : pause());
  $('seek').oninput = () => go(Number($('seek').value));
  document.addEventListener('keydown', (event) => {
    if ($('replay').hidden || event.target.closest?.('input, select')) return;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.code];
    if (!step) return;
    event.preventDefault();
    go(at + step);
  });
}

/** Shows a result's game from its opening. */
export async function open(chosen) {
  pause();
  if (record !== chosen) {
    record = chosen;
    pages = new Map();
    at = 0;
  }
  about = await page(0);
  $('seek').max = about.slides;
  $('replayAbout').textContent = `${t(about.variant)} · ${number(about.score)} · ${number(about.slides)}`;
  await show(at, false);
}

/** Stops what runs by itself. */
export function pause() {
  clearTimeout(timer);
  timer = null;
  $('toPlay').textContent = t('playBack');
}

/** The page of positions that a number lies on, fetched once. */
async function page(idx) {
  if (!pages.has(idx)) pages.set(idx, await persist(() => api.plies(record, idx * PAGE, PAGE)));
  return pages.get(idx);
}

function go(number) {
  pause();
  return show(number, number === at + 1);
}

async function show(wanted, moves) {
  const number_ = Math.max(0, Math.min(wanted, about.slides));
  const turn = (asked += 1);
  const fetched = await page(Math.floor(number_ / PAGE));
  // A later wish came meanwhile.
  if (turn !== asked) return;
  const ply = fetched.plies[number_ % PAGE];
  const hasMoved = moves && number_ === at + 1;
  at = number_;
  $('seek').value = at;
  const parts = [t('replayStep', number(at), number(about.slides), number(ply.score))];
  if (ply.step) parts.push(t('moved', t(ply.step.slide), ply.step.gain));
  if (ply.automatic) parts.push(t('byMachine'));
  $('replayText').textContent = parts.join(' · ');
  const sight = spoken(about.variant);
  if (hasMoved && ply.step) await board.play(ply.step, ply.board, sight, false);
  else board.show(about.variant, ply.board, sight);
}

async function play() {
  if (at >= about.slides) await show(0, false);
  $('toPlay').textContent = t('pause');
  const next = async () => {
    await show(at + 1, true);
    if (timer === null) return;
    if (at >= about.slides) pause();
    else timer = setTimeout(next, PLAY_MS);
  };
  timer = setTimeout(next, PLAY_MS);
}
