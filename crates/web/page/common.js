// What several views need: elements, troubles, questions.

import { Refusal, Unreachable } from './api.js';
import { date, t } from './i18n.js';
import { spokenName } from './tiles.js';

export const $ = (id) => document.getElementById(id);

/** Shows what is wrong above the page; nothing for none. */
export function trouble(text) {
  $('trouble').textContent = text ?? '';
  $('trouble').hidden = !text;
}

const wait = (ms) => new Promise((done) => setTimeout(done, ms));

/**
 * Asks until the server answers. Only for what may be asked twice: what changes
 * a game says at which slide it is meant, so that it happens once.
 */
export async function persist(request) {
  for (let pause = 250; ; pause = Math.min(2 * pause, 4000)) {
    try {
      const answer = await request();
      trouble(null);
      return answer;
    } catch (error) {
      const isPassing = error instanceof Unreachable
        || (error instanceof Refusal && [408, 429, 503].includes(error.status));
      if (!isPassing) throw error;
      trouble(t(error.code === 'too_many' ? 'too_many' : 'unreachable'));
      await wait(pause);
    }
  }
}

/** What a refusal means to the person who plays. */
export function explain(error) {
  if (error.code === 'name_fixed') return t('name_fixed', date(error.details.fixed_until_ms));
  if (['name_taken', 'no_name', 'no_visitor', 'undone'].includes(error.code)) return t(error.code);
  return t('failed');
}

/** Asks a question; whether the answer is yes. */
export function confirms(text) {
  const dialog = $('question');
  $('questionText').textContent = text;
  dialog.returnValue = 'no';
  dialog.showModal();
  return new Promise((done) => {
    dialog.addEventListener('close', () => done(dialog.returnValue === 'yes'), { once: true });
  });
}

/** How a board is read aloud. */
export const spoken = (variant) => ({ empty: t('empty'), tile: (number) => spokenName(variant, number) });
