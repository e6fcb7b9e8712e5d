// Both languages of the page.

const TEXTS = {
  zh: {
    play: '游戏', leaderboard: '排行榜', replay: '回放', variant: '玩法', akioi: 'akioi 4×4', classic: '经典 4×4', mini: '迷你 3×3',
    score: '分数', best: '最高分', slides: '步数', restart: '重新开始', hint: '获取提示', undo: '悔棋', cheat: '作弊',
    start: '开始', stop: '停止', step: '单步', speed: '速度', slow: '慢', medium: '中', fast: '快', full: '极快',
    legend: '图例', board: '棋盘', yes: '是', no: '否', submit: '提交成绩', again: '再来一局', seeLeaderboard: '查看排行榜',
    yourName: '你的名字', nameHelp: '2 至 14 个字母、数字或下划线，30 天内不能更改', takeName: '确定',
    rank: '名次', largest: '最大方块', player: '玩家', date: '日期',
    leaderboardNote: '保留最近 45 天的成绩，显示前 50 名。使用过自动模式的成绩以“电脑”之名列出。',
    noRecords: '还没有成绩，来当第一名吧。', position: '位置', first: '开局', previous: '上一步', next: '下一步', last: '终局',
    playBack: '播放', pause: '暂停',
    askRestart: '当前游戏尚未结束，确定要重新开始吗？', askUndo: '悔棋后，本局不再计入最高分，也不能提交到排行榜。确定要悔棋吗？',
    cleared: 'You AK IOI!', over: 'AFO', overClassic: '游戏结束',
    summary: (score, slides) => `${score} 分，${slides} 步`, newBest: '新的最高分！',
    asComputer: '本局使用过自动模式，将以“电脑”之名列出。', undone: '本局悔过棋，不能提交。',
    listed: '成绩已提交。', named: (name) => `你的名字：${name}`, namedUntil: (name, date) => `你的名字：${name}（${date} 之后可以更改）`,
    name_taken: '这个名字已被别人使用。', no_name: '名字须为 2 至 14 个字母、数字或下划线。',
    name_fixed: (date) => `名字在 ${date} 之前不能更改。`, no_visitor: '请先玩一局。',
    unreachable: '连接不上服务器，正在重试……', too_many: '请求太频繁，请稍候。', failed: '出了点问题，请重试。',
    thinking: '思考中……', replaced: '这一局已在另一个窗口中被新的一局取代。',
    up: '向上', right: '向右', down: '向下', left: '向左', empty: '空',
    moved: (direction, gain) => `${direction}，${gain} 分`, spawned: (tile, row, column) => `新方块 ${tile} 出现在第 ${row} 行第 ${column} 列`,
    nothing: (direction) => `${direction}不能移动任何方块`, ended: (text) => `游戏结束：${text}`,
    advice: (direction) => `建议：${direction}`, gain: (gain) => `得 ${gain} 分`, emptyCells: (count) => `余 ${count} 个空格`,
    corner: '最大的方块留在角上', order: '沿着边从大到小排列', expected: (points) => `预计还能得约 ${points} 分`,
    only: '只有这一步可走', better: (points, direction) => `比${direction}多约 ${points} 分`,
    replayAbout: (name, score, slides) => `${name}：${score} 分，${slides} 步`, replayStep: (at, all, score) => `第 ${at} / ${all} 步，${score} 分`,
    byMachine: '自动', machine: '电脑',
  },
  en: {
    play: 'Play', leaderboard: 'Leaderboard', replay: 'Replay', variant: 'Game', akioi: 'akioi 4×4', classic: 'classic 4×4', mini: 'mini 3×3',
    score: 'Score', best: 'Record', slides: 'Slides', restart: 'Restart', hint: 'Get a hint', undo: 'Undo', cheat: 'Cheat',
    start: 'Start', stop: 'Stop', step: 'Step', speed: 'Speed', slow: 'slow', medium: 'medium', fast: 'fast', full: 'full',
    legend: 'Legend', board: 'Board', yes: 'Yes', no: 'No', submit: 'Submit', again: 'Play again', seeLeaderboard: 'Leaderboard',
    yourName: 'Your name', nameHelp: '2 to 14 letters, digits or underscores, fixed for 30 days', takeName: 'Take it',
    rank: 'Rank', largest: 'Largest', player: 'Player', date: 'Date',
    leaderboardNote: 'Results of the last 45 days, the first 50. Those that used the automatic mode are listed as 电脑 (computer).',
    noRecords: 'No results yet: be the first.', position: 'Position', first: 'Opening', previous: 'Previous slide', next: 'Next slide', last: 'End',
    playBack: 'Play', pause: 'Pause',
    askRestart: 'The game is not over. Begin a new one?', askUndo: 'A game with a slide taken back counts neither for the record nor for the leaderboard. Take it back?',
    cleared: 'You AK IOI!', over: 'AFO', overClassic: 'Game over',
    summary: (score, slides) => `${score} points in ${slides} slides`, newBest: 'A new record!',
    asComputer: 'The automatic mode was used: listed as 电脑 (computer).', undone: 'A slide was taken back: not for the leaderboard.',
    listed: 'Submitted.', named: (name) => `Your name: ${name}`, namedUntil: (name, date) => `Your name: ${name} (fixed until ${date})`,
    name_taken: 'Somebody else has this name.', no_name: 'A name has 2 to 14 letters, digits or underscores.',
    name_fixed: (date) => `Your name is fixed until ${date}.`, no_visitor: 'Play a game first.',
    unreachable: 'The server cannot be reached, trying again …', too_many: 'Too many requests, wait a moment.', failed: 'Something went wrong, try again.',
    thinking: 'Thinking …', replaced: 'A new game in another window took the place of this one.',
    up: 'up', right: 'right', down: 'down', left: 'left', empty: 'empty',
    moved: (direction, gain) => `${direction}, ${gain} points`, spawned: (tile, row, column) => `new tile ${tile} in row ${row}, column ${column}`,
    nothing: (direction) => `${direction} moves nothing`, ended: (text) => `Game over: ${text}`,
    advice: (direction) => `Hint: ${direction}`, gain: (gain) => `gains ${gain}`, emptyCells: (count) => `leaves ${count} empty cells`,
    corner: 'keeps the largest tile in a corner', order: 'keeps its line in order', expected: (points) => `about ${points} points still expected`,
    only: 'the only slide there is', better: (points, direction) => `about ${points} more than ${direction}`,
    replayAbout: (name, score, slides) => `${name}: ${score} points in ${slides} slides`, replayStep: (at, all, score) => `slide ${at} of ${all}, ${score} points`,
    byMachine: 'automatic', machine: '电脑',
  },
};

const KEY = 'language';

/** What the browser keeps for this page; nothing where it keeps nothing. */
function kept() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export let language = TEXTS[kept()] ? kept() : (navigator.language.startsWith('zh') ? 'zh' : 'en');

/** The text of a key; with arguments where it takes some. */
export function t(key, ...rest) {
  const text = TEXTS[language][key];
  return typeof text === 'function' ? text(...rest) : text ?? key;
}

export function setLanguage(chosen) {
  language = chosen;
  try {
    localStorage.setItem(KEY, chosen);
  } catch {
    // Then it lasts as long as the page.
  }
}

export const number = (value) => new Intl.NumberFormat(language).format(value);
export const date = (ms) => new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(new Date(ms));
export const shortDate = (ms) => new Intl.DateTimeFormat(language, { dateStyle: 'short' }).format(new Date(ms));

/** Writes all texts of the page that do not depend on a game. */
export function translate() {
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll('[data-t]')) element.textContent = t(element.dataset.t);
  for (const element of document.querySelectorAll('[data-label]')) element.setAttribute('aria-label', t(element.dataset.label));
  const other = document.getElementById('language');
  other.textContent = language === 'zh' ? 'English' : '中文';
  other.lang = language === 'zh' ? 'en' : 'zh';
}
