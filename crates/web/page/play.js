// The view in which one plays.

import * as api from './api.js';
import { Board } from './board.js';
import { $, confirms, explain, persist, spoken, trouble } from './common.js';
import { number, t } from './i18n.js';
import { listen } from './input.js';
import { chip, fullName, spokenName, tilesOf, valueText } from './tiles.js';

/** Slides that wait for their turn at most: a cat on the keyboard is no player. */
const MAX_WAITING = 32;

/** Milliseconds between slides of the automatic mode, and slides at a time. */
const SPEEDS = { slow: [700, 1], medium: [220, 1], fast: [40, 1], full: [0, 100] };

let game = null;
let player = null;
let isShown = false;
let isRunning = false;
let isBusy = false;
const waiting = [];
let board;

/** Prepares the view. */
export function prepare() {
  board = new Board($('board'), $('cells'));
  listen(() => isShown && !isRunning, (direction) => {
    if (waiting.length < MAX_WAITING) waiting.push({ run: () => slide(direction) });
    work();
  });
  $('restart').onclick = () => enqueue(restart);
  $('again').onclick = () => enqueue(restart);
  $('hint').onclick = () => enqueue(hint);
  $('undo').onclick = () => enqueue(undo);
  $('submit').onclick = () => enqueue(submit);
  $('naming').onsubmit = (event) => {
    event.preventDefault();
    enqueue(submit);
  };
  $('step').onclick = () => enqueue(() => automatic(1, false));
  $('run').onclick = () => (isRunning ? stop() : run());
  $('cheat').onclick = () => {
    const opens = $('automatic').hidden;
    if (!opens) stop();
    $('automatic').hidden = !opens;
    $('cheat').setAttribute('aria-expanded', String(opens));
  };
}

/** Whether keys and swipes are slides now. */
export function setShown(shown) {
  isShown = shown;
  if (!shown) stop();
}

/** Takes up the last game of a variant, or begins one. */
export async function open(variant) {
  stop();
  waiting.length = 0;
  const session = await persist(api.session);
  player = session.name;
  const known = session.games[variant];
  game = null;
  if (known) {
    try {
      game = await persist(() => api.game(known));
    } catch (error) {
      // Kept no longer: then a new one.
      if (error.code !== 'no_game') throw error;
    }
  }
  game ??= await persist(() => api.begin(variant));
  showAll();
}

/** Writes everything anew, as after a change of language. */
export function showAll() {
  if (!game) return;
  board.show(game.variant, game.board, spoken(game.variant));
  board.unpoint();
  $('advice').textContent = '';
  showNumbers();
  showLegend();
  showEnd();
}

/** The game's name, as the browser's title. */
export const variant = () => game?.variant ?? 'akioi';

function enqueue(run) {
  waiting.push({ run });
  work();
}

/** Does what waits, one after the other: no input is lost to an animation. */
async function work() {
  if (isBusy) return;
  isBusy = true;
  while (waiting.length > 0) {
    try {
      await waiting.shift().run();
    } catch (error) {
      await recover(error);
    }
  }
  isBusy = false;
}

/** Goes on from what the server says. */
async function recover(error) {
  waiting.length = 0;
  stop();
  if (error.details?.game) {
    game = error.details.game;
    showAll();
  } else if (error.code === 'no_game') {
    await open(game.variant);
    trouble(t('replaced'));
  } else {
    trouble(explain(error));
  }
}

/** A request about the game as it stands, asked until it is answered. */
async function change(request) {
  const before = game.slides;
  try {
    return await persist(request);
  } catch (error) {
    // The answer to an earlier try was lost on the way: the slide was made.
    const made = error.code === 'other_position' ? error.details.game : null;
    if (!made || made.id !== game.id || made.slides <= before) throw error;
    return { steps: [], game: made };
  }
}

async function slide(direction) {
  if (game.status !== 'playing') return;
  if (!game.legal.includes(direction)) {
    board.bump();
    say(t('nothing', t(direction)));
    return;
  }
  const played = await change(() => api.slide(game.id, direction, game.slides));
  await showPlayed(played, waiting.length > 0);
}

/** Shows slides that were made: the last with its motion, unless in a hurry. */
async function showPlayed(played, hurries) {
  const gain = played.game.score - game.score;
  const wasPlaying = game.status === 'playing';
  game = played.game;
  board.unpoint();
  $('advice').textContent = '';
  showNumbers(gain);
  const step = played.steps.at(-1);
  const sight = spoken(game.variant);
  if (step && played.steps.length === 1) await board.play(step, game.board, sight, hurries);
  else board.show(game.variant, game.board, sight);
  if (step) sayStep(step);
  if (wasPlaying && game.status !== 'playing') showEnd();
}

function sayStep(step) {
  const parts = [t('moved', t(step.slide), step.gain)];
  if (step.spawn) {
    const side = game.board.length;
    const { cell, tile } = step.spawn;
    parts.push(t('spawned', spokenName(game.variant, tile), Math.floor(cell / side) + 1, (cell % side) + 1));
  }
  if (game.status !== 'playing') parts.push(t('ended', verdict()));
  say(parts.join(' · '));
}

function say(text) {
  $('live').textContent = text;
}

async function restart() {
  if (game.status === 'playing' && game.slides > 0 && !(await confirms(t('askRestart')))) return;
  stop();
  game = await persist(() => api.begin(game.variant));
  showAll();
}

async function undo() {
  if (game.slides === 0 || game.record !== null) return;
  if (!game.undone && !(await confirms(t('askUndo')))) return;
  const undone = await persist(() => api.undo(game.id, game.slides));
  game = undone;
  showAll();
}

async function hint() {
  if (game.status !== 'playing') return;
  $('advice').textContent = t('thinking');
  const found = await persist(() => api.hint(game.id, game.slides));
  board.point(found.slide);
  $('advice').textContent = reasons(found);
  say($('advice').textContent);
}

/** Why a slide: what it does, what is seen afterwards, what is expected. */
function reasons(found) {
  const look = found.looks[found.slide];
  const parts = [];
  if (look.gain !== 0) parts.push(t('gain', number(look.gain)));
  parts.push(t('emptyCells', look.empty));
  if (look.corner) parts.push(t('corner'));
  if (look.order) parts.push(t('order'));
  const others = Object.entries(found.values)
    .filter(([direction, value]) => value !== null && direction !== found.slide)
    .sort((one, other) => other[1] - one[1]);
  if (others.length === 0) parts.push(t('only'));
  else if (found.unit === 'points') {
    const [second, value] = others[0];
    parts.push(t('expected', number(Math.round(found.values[found.slide]))));
    parts.push(t('better', number(Math.round(found.values[found.slide] - value)), t(second)));
  }
  const comma = document.documentElement.lang === 'zh' ? '，' : ', ';
  return `${t('advice', t(found.slide))} — ${parts.join(comma)}`;
}

async function automatic(count, hurries) {
  if (game.status !== 'playing') return;
  const played = await change(() => api.automatic(game.id, game.slides, count));
  await showPlayed(played, hurries);
}

/** Plays on until stopped: after each slide it is asked whether to go on. */
async function run() {
  if (isRunning || game.status !== 'playing') return;
  isRunning = true;
  showRunning();
  while (isRunning && game.status === 'playing') {
    const [pause, count] = SPEEDS[$('speed').value];
    await new Promise((done) => {
      enqueue(async () => {
        try {
          if (isRunning) await automatic(count, pause < 100);
        } finally {
          done();
        }
      });
    });
    await new Promise((done) => { setTimeout(done, pause); });
  }
  stop();
}

function stop() {
  isRunning = false;
  showRunning();
}

function showRunning() {
  $('run').textContent = t(isRunning ? 'stop' : 'start');
  $('run').setAttribute('aria-pressed', String(isRunning));
  $('step').disabled = isRunning;
}

function showNumbers() {
  $('score').textContent = number(game.score);
  $('best').textContent = game.best === null ? '–' : number(game.best);
  $('slides').textContent = number(game.slides);
  $('undo').hidden = game.variant === 'akioi';
  $('undo').disabled = game.slides === 0 || game.record !== null;
  const isOver = game.status !== 'playing';
  $('hint').disabled = isOver;
  $('run').disabled = isOver;
  if (!isRunning) $('step').disabled = isOver;
}

function verdict() {
  if (game.status === 'cleared') return t('cleared');
  return t(game.variant === 'akioi' ? 'over' : 'overClassic');
}

/** The overlay of a game that has ended. */
function showEnd() {
  const isOver = game.status !== 'playing';
  $('overlay').hidden = !isOver;
  if (!isOver) return;
  $('overlay').className = `overlay ${game.status}`;
  $('verdict').textContent = verdict();
  const isListed = game.record !== null;
  const isBest = !game.automatic && !game.undone && game.best === game.score;
  const lines = [t('summary', number(game.score), number(game.slides))];
  if (isBest) lines.push(t('newBest'));
  if (isListed) lines.push(t('listed'));
  else if (game.undone) lines.push(t('undone'));
  else if (game.automatic) lines.push(t('asComputer'));
  else if (player) lines.push(t('named', player.name));
  $('summary').textContent = lines.join(' · ');
  $('submitError').textContent = '';
  $('naming').hidden = isListed || game.undone || game.automatic || player !== null;
  $('submit').hidden = isListed || game.undone;
  $('listed').hidden = !isListed;
}

async function submit() {
  if (game.status === 'playing' || game.record !== null) return;
  try {
    if (!game.automatic && player === null) player = await persist(() => api.takeName($('name').value.trim()));
    game.record = (await persist(() => api.submit(game.id))).record;
  } catch (error) {
    if (error.code === 'twice') game.record = error.details.record;
    else {
      $('submitError').textContent = explain(error);
      $('name').focus();
      return;
    }
  }
  showNumbers();
  showEnd();
  say(t('listed'));
}

function showLegend() {
  const title = document.createElement('h2');
  title.textContent = t('legend');
  const list = document.createElement('ul');
  for (const tile of tilesOf(game.variant)) {
    const line = document.createElement('li');
    const name = document.createElement('span');
    name.className = 'full';
    name.textContent = game.variant === 'akioi' ? fullName(game.variant, tile) : '';
    const value = document.createElement('span');
    value.className = 'value';
    value.textContent = valueText(tile);
    line.append(chip(game.variant, tile), name, value);
    list.append(line);
  }
  $('legend').replaceChildren(title, list);
}
