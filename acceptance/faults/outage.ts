import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { formOf, png } from '../../tools/images.ts';
import { type Answer, createToken, send } from '../harness/http.ts';
import type { RunningServer } from '../harness/server.ts';
import type { Installation } from './installation.ts';

/** Somebody who goes on working while something is broken. */
export interface Load {
  /** How many of each kind of answer there were so far. */
  counts: { done: number; unavailable: number };
  /** What was said to those who have to wait. */
  messages: Set<string>;
  /** The longest that anybody waited for an answer, in ms. */
  longest(): number;
  stop(): Promise<void>;
}

/** What a server answers whose cause is outside: 503, when to come again, and what is wrong, in words. */
function checkUnavailable(answer: Answer): string {
  assert.equal(answer.status, 503, answer.text);
  assert.match(String(answer.headers['retry-after']), /^\d+$/, answer.text);
  // Some families of operations answer without the frame.
  const told = answer.json<{ message: string; error?: { message: string } }>();
  return (told.error ?? told).message;
}

export interface Work {
  server: RunningServer;
  token: string;
}

export const openWork = async (server: RunningServer): Promise<Work> => {
  const { api_token: token } = await createToken(server, { description: 'load' });
  const app = { name: 'compass', display_name: 'Compass', os: 'Android', platform: 'Java' };
  const { status, text } = await send('POST', `${server.httpUrl}/v0.1/apps`, { token, body: app });
  assert.equal(status, 201, text);
  return { server, token };
};

export const read = ({ server, token }: Work): Promise<Answer> => send('GET', `${server.httpUrl}/v0.1/apps`, { token });

export const writeApp = ({ server, token }: Work, name: string): Promise<Answer> => {
  const body = { name, display_name: name, description: 'x'.repeat(200), os: 'Android', platform: 'Java' };
  return send('POST', `${server.httpUrl}/v0.1/apps`, { token, body });
};

export const writeAvatar = ({ server, token }: Work): Promise<Answer> => {
  const { type, body } = formOf({ fileName: 'a.png', type: 'image/png', content: png(8, 8) });
  const headers = { 'content-type': type };
  return send('POST', `${server.httpUrl}/v0.1/apps/ada/compass/avatar`, { token, raw: body, headers });
};

/** Four who read and write without a pause; every answer is either what was asked for, or a sound 503. */
export function startLoad(work: Work, acknowledged: Set<string>): Load {
  const counts = { done: 0, unavailable: 0 };
  const messages = new Set<string>();
  let longest = 0;
  let isOver = false;
  const lane = async (lane: number) => {
    for (let n = 0; !isOver; n++) {
      const name = `app-${acknowledged.size}-${lane}-${n}`;
      const start = performance.now();
      const answer = await (n % 2 === 0 ? read(work) : writeApp(work, name));
      longest = Math.max(longest, performance.now() - start);
      if (answer.status < 300) {
        counts.done += 1;
        if (n % 2 === 1) acknowledged.add(name);
      } else {
        messages.add(checkUnavailable(answer));
        counts.unavailable += 1;
        await sleep(20);
      }
    }
  };
  const lanes = Promise.all([0, 1, 2, 3].map(lane));
  return {
    counts,
    messages,
    longest: () => longest,
    stop: async () => {
      isOver = true;
      await lanes;
    },
  };
}

/** How long it takes until something works again, in ms; gives up after two minutes. */
export async function untilWorks(attempt: () => Promise<Answer>): Promise<number> {
  const start = performance.now();
  for (;;) {
    const answer = await attempt();
    if (answer.status < 300) return performance.now() - start;
    checkUnavailable(answer);
    assert.ok(performance.now() - start < 120_000, `It does not work again by itself: ${answer.text}`);
    await sleep(50);
  }
}

export const expectUnavailable = async (attempt: Promise<Answer>): Promise<string> => checkUnavailable(await attempt);

/** Every acknowledged app is there, once, with its entry in the audit log; and no entry has none. */
export async function checkAcknowledged(
  { rows, dialect }: Pick<Installation, 'rows' | 'dialect'>,
  acknowledged: Set<string>,
): Promise<void> {
  const names = (await rows(`SELECT name FROM apps WHERE name LIKE 'app-%'`)).map(({ name }) => String(name));
  const there = new Set(names);
  for (const name of acknowledged) assert.ok(there.has(name), `${name} was acknowledged and is gone.`);
  const audits = await rows(`SELECT subject_name AS name FROM audit_events WHERE action = 'app.create'`);
  const recorded = audits
    .map(({ name }) => String(name))
    .filter((name) => name.startsWith('app-') || name.includes('/app-'));
  assert.equal(recorded.length, names.length, 'the audit log does not agree with the apps');
  if (dialect === 'sqlite') assert.deepEqual(await rows('PRAGMA integrity_check'), [{ integrity_check: 'ok' }]);
}
