import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { createForm, png } from '../../../tools/samples/images.ts';
import { type Answer, createToken, send } from '../../harness/http.ts';
import type { RunningServer } from '../../harness/server.ts';
import type { Installation } from '../installation.ts';

/** A client that continues to work during a fault. */
export interface Load {
  /** The number of responses by kind so far. */
  counts: { done: number; unavailable: number };
  /** Messages of the 503 responses. */
  messages: Set<string>;
  /** The longest response time, in ms. */
  longest(): number;
  stop(): Promise<void>;
}

/** A response to an outage outside of the server: 503, with a retry delay and an explanation. */
function checkUnavailable(answer: Answer): string {
  assert.equal(answer.status, 503, answer.text);
  assert.match(String(answer.headers['retry-after']), /^\d+$/, answer.text);
  // Some API surfaces have no wrapper object around errors.
  const body = answer.json<{ message: string; error?: { message: string } }>();
  return (body.error ?? body).message;
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
  const { type, body } = createForm({ fileName: 'a.png', type: 'image/png', content: png(8, 8) });
  const headers = { 'content-type': type };
  return send('POST', `${server.httpUrl}/v0.1/apps/ada/compass/avatar`, { token, raw: body, headers });
};

/** Four clients that read and write without a pause; each response is a success or a valid 503. */
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

/** Repeats an attempt until it succeeds, and returns the time in ms; fails after two minutes. */
export async function untilWorks(attempt: () => Promise<Answer>): Promise<number> {
  const start = performance.now();
  for (;;) {
    const answer = await attempt();
    if (answer.status < 300) return performance.now() - start;
    checkUnavailable(answer);
    assert.ok(performance.now() - start < 120_000, `The server has not recovered within two minutes: ${answer.text}`);
    await sleep(50);
  }
}

export const expectUnavailable = async (attempt: Promise<Answer>): Promise<string> => checkUnavailable(await attempt);

/** Each acknowledged app exists once, with its audit event, and there are no other audit events. */
export async function checkAcknowledged(
  { rows, dialect }: Pick<Installation, 'rows' | 'dialect'>,
  acknowledged: Set<string>,
): Promise<void> {
  const names = (await rows(`SELECT name FROM apps WHERE name LIKE 'app-%'`)).map(({ name }) => String(name));
  const there = new Set(names);
  for (const name of acknowledged) assert.ok(there.has(name), `${name} was acknowledged, but is missing.`);
  const audits = await rows(`SELECT subject_name AS name FROM audit_events WHERE action = 'app.create'`);
  const recorded = audits
    .map(({ name }) => String(name))
    .filter((name) => name.startsWith('app-') || name.includes('/app-'));
  assert.equal(recorded.length, names.length, 'the audit log does not match the apps');
  if (dialect === 'sqlite') assert.deepEqual(await rows('PRAGMA integrity_check'), [{ integrity_check: 'ok' }]);
}
