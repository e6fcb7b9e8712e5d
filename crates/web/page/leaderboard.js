// The view of the leaderboard.

import * as api from './api.js';
import { $, explain, persist } from './common.js';
import { date, number, shortDate, t } from './i18n.js';
import { chip } from './tiles.js';

/** Prepares the view. */
export function prepare() {
  $('rename').onsubmit = async (event) => {
    event.preventDefault();
    try {
      await persist(() => api.takeName($('newName').value.trim()));
      $('renameError').textContent = '';
      await showPlayer();
    } catch (error) {
      $('renameError').textContent = explain(error);
    }
  };
}

/** Shows the results of a variant. */
export async function open(variant) {
  const [listed] = await Promise.all([persist(() => api.leaderboard(variant)), showPlayer()]);
  $('noRecords').hidden = listed.records.length > 0;
  $('records').replaceChildren(...listed.records.map((record, idx) => line(variant, record, idx + 1)));
}

async function showPlayer() {
  const session = await persist(api.session);
  const name = session.name;
  const isFixed = name !== null && session.now_ms < name.fixed_until_ms;
  $('you').textContent = name ? t(isFixed ? 'namedUntil' : 'named', name.name, date(name.fixed_until_ms)) : '';
  // Who has never played has nothing to put a name to.
  $('rename').hidden = isFixed || Object.keys(session.games).length === 0;
}

function line(variant, record, rank) {
  const row = document.createElement('tr');
  if (record.own) row.className = 'own';
  row.insertCell().textContent = rank;
  row.insertCell().append(chip(variant, record.largest));
  const name = row.insertCell();
  name.className = 'player';
  if (record.name === null) {
    const machine = document.createElement('i');
    machine.textContent = '电脑';
    machine.lang = 'zh';
    name.append(machine);
  } else {
    name.textContent = record.name;
  }
  const score = row.insertCell();
  score.className = 'number';
  score.textContent = number(record.score);
  const day = row.insertCell();
  day.className = 'date';
  day.textContent = shortDate(record.submitted_at_ms);
  const link = document.createElement('a');
  link.href = `#/replay/${record.record}`;
  link.setAttribute('aria-label', t('replay'));
  const word = document.createElement('span');
  word.className = 'word';
  word.textContent = ` ${t('replay')}`;
  link.append('▶', word);
  row.insertCell().append(link);
  return row;
}
