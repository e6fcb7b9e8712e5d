// Requests to the server, and what it refuses.

/** A refusal of the server: `code` and `details` are those of docs/api.md. */
export class Refusal extends Error {
  constructor(status, error) {
    super(error?.message ?? `status ${status}`);
    this.status = status;
    this.code = error?.code ?? 'unknown';
    this.details = error?.details ?? {};
  }
}

/** The server was not reached, or gave no answer that can be read. */
export class Unreachable extends Error {}

async function ask(method, path, body) {
  const options = { method, credentials: 'same-origin', cache: 'no-store' };
  if (body !== undefined) {
    options.headers = { 'content-type': 'application/json' };
    options.body = JSON.stringify(body);
  }
  let response;
  let answer;
  try {
    response = await fetch(path, options);
    answer = await response.json();
  } catch (error) {
    throw new Unreachable(String(error));
  }
  if (!response.ok) throw new Refusal(response.status, answer.error);
  return answer;
}

export const session = () => ask('GET', '/api/session');
export const begin = (variant) => ask('POST', '/api/games', { variant });
export const game = (id) => ask('GET', `/api/games/${id}`);
export const slide = (id, direction, slides) => ask('POST', `/api/games/${id}/slides`, { slide: direction, slides });
export const automatic = (id, slides, count) => ask('POST', `/api/games/${id}/automatic`, { slides, count });
export const undo = (id, slides) => ask('POST', `/api/games/${id}/undo`, { slides });
export const hint = (id, slides) => ask('POST', `/api/games/${id}/hint`, { slides });
export const submit = (id) => ask('POST', `/api/games/${id}/submit`, {});
export const takeName = (name) => ask('POST', '/api/name', { name });
export const leaderboard = (variant) => ask('GET', `/api/leaderboard?variant=${variant}`);
export const plies = (record, from, count) => ask('GET', `/api/records/${record}/plies?from=${from}&count=${count}`);
