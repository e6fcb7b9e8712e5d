// The page: which view is shown, in which language, of which variant.

import { $, explain, trouble } from './common.js';
import { language, setLanguage, translate } from './i18n.js';
import * as leaderboard from './leaderboard.js';
import * as play from './play.js';
import * as replay from './replay.js';

const VARIANTS = ['akioi', 'classic', 'mini'];
const KEY = 'variant';

let variant = kept();

function kept() {
  try {
    const found = localStorage.getItem(KEY);
    return VARIANTS.includes(found) ? found : 'akioi';
  } catch {
    return 'akioi';
  }
}

/** The view and its argument, from the address after the #. */
function address() {
  const [view, argument] = location.hash.replace(/^#\//, '').split('/');
  if (view === 'replay' && /^\d+$/.test(argument ?? '')) return ['replay', argument];
  return [view === 'leaderboard' ? view : 'play', null];
}

async function show() {
  const [view, argument] = address();
  for (const name of ['play', 'leaderboard', 'replay']) $(name).hidden = name !== view;
  document.body.classList.toggle('playing', view === 'play');
  for (const link of document.querySelectorAll('nav a')) {
    if (link.dataset.view === view) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  play.setShown(view === 'play');
  replay.pause();
  $('variant').value = variant;
  $('title').textContent = `${variant} 2048`;
  document.title = `${variant} 2048`;
  try {
    if (view === 'replay') await replay.open(argument);
    else if (view === 'leaderboard') await leaderboard.open(variant);
    else await play.open(variant);
    trouble(null);
  } catch (error) {
    trouble(explain(error));
    if (view === 'replay') location.hash = '#/leaderboard';
  }
}

$('language').onclick = () => {
  setLanguage(language === 'zh' ? 'en' : 'zh');
  translate();
  show();
};
$('variant').onchange = () => {
  variant = $('variant').value;
  try {
    localStorage.setItem(KEY, variant);
  } catch {
    // Then it lasts as long as the page.
  }
  if (address()[0] === 'replay') location.hash = '#/play';
  else show();
};
addEventListener('hashchange', show);
translate();
play.prepare();
leaderboard.prepare();
replay.prepare();
show();
