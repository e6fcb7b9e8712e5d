// Plays in a browser: node play.mjs FOLDER-OF-PLAYWRIGHT BROWSER ADDRESS [FOLDER-FOR-PICTURES]

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { resolve } from 'node:path';

const [, , library, executablePath, address, pictures] = process.argv;
const { chromium } = createRequire(`${resolve(library)}/x.js`)('playwright-core');
const answers = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

const SIZES = [
  { name: 'desktop', width: 1280, height: 800, locale: 'zh-CN', legend: 'full' },
  { name: 'tablet', width: 820, height: 1100, locale: 'en-US', legend: 'labels' },
  { name: 'phone', width: 320, height: 640, locale: 'zh-CN', legend: 'none' },
];

const slides = async (page) => Number((await page.textContent('#slides')).replaceAll(/\D/g, ''));
const waitForSlides = (page, count) => page.waitForFunction(
  (wanted) => Number(document.getElementById('slides').textContent.replaceAll(/\D/g, '')) === wanted, count);

/** The game as the server has it. */
const game = (page, variant = 'akioi') => page.evaluate(async (name) => {
  const session = await (await fetch('/api/session')).json();
  return (await fetch(`/api/games/${session.games[name]}`)).json();
}, variant);

/** What the tiles on the page show, row by row. */
const shown = (page) => page.evaluate(() => {
  const side = Number(document.getElementById('board').style.getPropertyValue('--n'));
  const rows = Array.from({ length: side }, () => Array(side).fill(0));
  for (const tile of document.querySelectorAll('#board .tile')) {
    const cell = Number(tile.dataset.cell);
    rows[Math.floor(cell / side)][cell % side] = Number(tile.dataset.number);
  }
  return rows;
});

/** Makes a slide that is legal, by a key. */
async function press(page, keys) {
  const before = await game(page);
  await page.keyboard.press(keys[before.legal[0]]);
  await waitForSlides(page, before.slides + 1);
}

const ARROWS = { up: 'ArrowUp', right: 'ArrowRight', down: 'ArrowDown', left: 'ArrowLeft' };
const WASD = { up: 'w', right: 'd', down: 's', left: 'a' };
const WAYS = { up: [0, -60], right: [60, 0], down: [0, 60], left: [-60, 0] };

async function swipe(page, from, way) {
  const touch = await page.context().newCDPSession(page);
  const point = ([x, y]) => [{ x, y }];
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: point(from) });
  for (const share of [0.5, 1]) {
    const to = [from[0] + way[0] * share, from[1] + way[1] * share];
    await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: point(to) });
  }
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

/** users F54: swipes anywhere, quick ones, diagonal ones, and a page that stays. */
async function swipes(page, size) {
  const below = [size.width / 2, size.height - 70];
  let before = await game(page);
  await swipe(page, below, WAYS[before.legal[0]]);
  await waitForSlides(page, before.slides + 1);
  before = await game(page);
  await swipe(page, below, [50, 50]);
  await page.waitForTimeout(300);
  assert.equal(await slides(page), before.slides, 'a diagonal swipe is ignored');
  // Five at once: those that are legal when their turn comes are made, none is lost.
  const asked = [];
  page.on('request', (request) => { if (request.url().endsWith('/slides')) asked.push(request); });
  for (const way of ['left', 'down', 'right', 'up', 'left']) await swipe(page, below, WAYS[way]);
  await page.waitForTimeout(1200);
  assert.equal(await slides(page), before.slides + asked.length);
  assert.ok(asked.length >= 3, `${asked.length} of 5 quick swipes`);
  assert.deepEqual(await page.evaluate(() => [scrollX, scrollY]), [0, 0], 'the page stays where it is');
}

async function checkLayout(page, size) {
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${size.name}: wider than the window`);
  const isSeen = (selector) => page.locator(selector).first().isVisible();
  assert.equal(await isSeen('.legend .chip'), size.legend !== 'none');
  assert.equal(await isSeen('.legend .full'), size.legend === 'full');
  const outside = await page.evaluate(() => [...document.querySelectorAll('#board .face')]
    .filter((face) => face.scrollWidth > face.clientWidth + 1).map((face) => face.textContent));
  assert.deepEqual(outside, [], 'labels lie inside their cells');
}

/** users F57: all tiles that there are, on the board, readable and inside their cells. */
async function checkTiles(page) {
  const outside = await page.evaluate(async () => {
    const { face, tilesOf } = await import('/tiles.js');
    const wrong = [];
    for (const variant of ['akioi', 'classic', 'mini']) {
      for (const number of tilesOf(variant)) {
        const tile = document.createElement('div');
        tile.className = 'tile';
        tile.append(face(variant, number));
        document.getElementById('board').append(tile);
        const label = document.createRange();
        label.selectNodeContents(tile.firstChild);
        const [inner, outer] = [label.getBoundingClientRect(), tile.getBoundingClientRect()];
        if (inner.width > outer.width || inner.height > outer.height * 1.2) wrong.push(number);
        tile.remove();
      }
    }
    return wrong;
  });
  assert.deepEqual(outside, [], 'labels lie inside their cells');
}

/** Whole board and all controls in view, without scrolling, on windows of many sizes. */
async function checkRoom(page, size) {
  await page.click('#cheat');
  for (const [width, height] of [[320, 480], [320, 568], [375, 667], [480, 320], [568, 320], [667, 375], [932, 430], [1024, 600]]) {
    await page.setViewportSize({ width, height });
    const outside = await page.evaluate(() => ['board', 'score', 'restart', 'hint', 'cheat', 'run', 'speed', 'variant', 'language']
      .filter((id) => {
        const box = document.getElementById(id).getBoundingClientRect();
        return box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight || box.width === 0;
      }));
    assert.deepEqual(outside, [], `${width}x${height}: outside the window`);
    const side = await page.evaluate(() => document.getElementById('board').clientHeight);
    assert.ok(side >= 128, `${width}x${height}: the board is ${side} pixels high`);
    await checkTiles(page);
  }
  await page.setViewportSize({ width: size.width, height: size.height });
  await page.click('#cheat');
}

async function restartServer(page) {
  const before = await game(page);
  console.log('restart the server');
  await answers.next();
  await press(page, ARROWS);
  assert.equal(await slides(page), before.slides + 1, 'the game goes on after the restart');
}

async function playToTheEnd(page) {
  await page.click('#cheat');
  await page.click('#step');
  await page.waitForFunction((count) => Number(document.getElementById('slides').textContent) > count, 0);
  await page.selectOption('#speed', 'slow');
  await page.click('#run');
  await page.waitForTimeout(400);
  await page.click('#run');
  const paused = await slides(page);
  await page.waitForTimeout(900);
  assert.ok(await slides(page) <= paused + 1, 'it stops within one slide');
  await page.selectOption('#speed', 'full');
  await page.click('#run');
  await page.waitForSelector('#overlay:not([hidden])', { timeout: 120_000 });
  assert.deepEqual(await shown(page), (await game(page)).board);
}

async function tryNames(page) {
  await page.selectOption('#variant', 'mini');
  await page.waitForSelector('#overlay', { state: 'hidden' });
  for (let tries = 0; tries < 3000 && await page.isHidden('#overlay'); tries += 1) {
    await page.keyboard.press(['ArrowLeft', 'ArrowDown', 'ArrowRight', 'ArrowUp'][tries % 4]);
    if (tries % 8 === 7) await page.waitForTimeout(60);
  }
  await page.waitForSelector('#overlay:not([hidden])');
  const best = await page.textContent('#best');
  assert.equal(best, await page.textContent('#score'), 'the first game is the record');
  await page.fill('#name', 'a b');
  await page.click('#submit');
  await page.waitForFunction(() => document.getElementById('submitError').textContent !== '');
  return best;
}

async function submit(page, name) {
  await page.fill('#name', name);
  await page.click('#submit');
  await page.waitForSelector('#listed:not([hidden])');
  await page.click('#listed');
  await page.waitForSelector('#records tr');
  assert.ok((await page.textContent('#records')).includes(name));
  await page.click('#records a');
  await page.waitForSelector('#replayBoard .tile');
  await page.click('#toNext');
  await page.click('#toLast');
  await page.waitForFunction(() => document.getElementById('seek').value === document.getElementById('seek').max);
  await page.goto(address);
}

async function picture(page, name) {
  if (pictures) await page.screenshot({ path: `${pictures}/${name}.png` });
}

async function play(browser, size) {
  const context = await browser.newContext({
    viewport: { width: size.width, height: size.height }, locale: size.locale, hasTouch: size.name !== 'desktop',
  });
  const page = await context.newPage();
  const troubles = [];
  page.on('pageerror', (error) => troubles.push(error.message));
  await page.goto(address);
  await page.waitForSelector('#board .tile');
  const isChinese = size.locale.startsWith('zh');
  assert.equal(await page.textContent('#restart'), isChinese ? '重新开始' : 'Restart');
  await page.click('#language');
  assert.equal(await page.textContent('#restart'), isChinese ? 'Restart' : '重新开始');
  await page.click('#language');
  for (const keys of [ARROWS, WASD, ARROWS, WASD]) await press(page, keys);
  assert.notEqual(await page.textContent('#live'), '', 'the last slide is read aloud');
  if (size.name !== 'desktop') await swipes(page, size);
  await page.waitForTimeout(400);
  const before = await game(page);
  assert.deepEqual(await shown(page), before.board);
  await page.reload();
  await page.waitForSelector('#board .tile');
  assert.deepEqual(await shown(page), before.board, 'a reload goes on');
  await restartServer(page);
  await page.click('#hint');
  await page.waitForSelector('.pointer');
  await page.waitForFunction(() => document.getElementById('advice').textContent.includes('—'));
  await checkLayout(page, size);
  await picture(page, size.name);
  await checkRoom(page, size);
  await playToTheEnd(page);
  assert.equal(await page.textContent('#verdict'), 'AFO');
  assert.equal(await page.textContent('#best'), '–', 'a game with the automatic mode is no record');
  await page.click('#submit');
  await page.click('#listed');
  await page.waitForSelector('#records i');
  assert.equal(await page.textContent('#records i'), '电脑');
  await picture(page, `${size.name}-leaderboard`);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'the list fits');
  await page.goto(address);
  await page.waitForSelector('#board .tile');
  const best = await tryNames(page);
  await submit(page, `${size.name}_1`);
  await page.click('#again');
  await page.waitForSelector('#overlay', { state: 'hidden' });
  assert.equal(await page.textContent('#best'), best, 'the record stays');
  assert.deepEqual(troubles, []);
  await context.close();
}

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
for (const size of SIZES) {
  await play(browser, size);
  console.log(`${size.name}: played`);
}
await browser.close();
process.exit(0);
