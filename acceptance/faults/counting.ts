import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type Answer, createToken, send } from '../harness/http.ts';
import type { RunningServer } from '../harness/server.ts';

const SENDERS = 4;
const LOGS = 20;
/** The lease of a job that was cut off, twice, and what waits after a failure. */
const PATIENCE = 300_000;

/** An app whose devices send, and what counts them. */
export interface Counting {
  /** How many events were acknowledged, and how many may have been kept without that. */
  sent: { acknowledged: number; open: number };
  /** What senders and readers were told while something was wrong. */
  messages: Set<string>;
  /** Devices that send from now on, without a pause, until they are told to stop or the server is gone. */
  startSending(server: RunningServer): { done: Promise<unknown>; stop(): Promise<void> };
  /** What was not answered comes once more, as devices do. */
  sendAgain(server: RunningServer): Promise<void>;
  /** Over two days, or so many. */
  ask(server: RunningServer, days?: number): Promise<Answer>;
  deleteEvents(server: RunningServer): Promise<void>;
  /** Waits until no file holds what was deleted; says how many did. */
  untilDeleted(server: RunningServer): Promise<number>;
  /** Waits until all that was acknowledged is counted, and no more than was sent; says how many events that are. */
  untilCounted(server: RunningServer): Promise<number>;
}

/** One request, which may have to be made again. */
interface Sending {
  install: string;
  raw: Buffer;
}

function batch(): Buffer {
  const device = { sdkName: 'appcenter.ios', sdkVersion: '5.0.4', appVersion: '1.0', appBuild: '1', osName: 'iOS' };
  const timestamp = new Date().toISOString();
  const log = () => ({ type: 'event', id: randomUUID(), name: 'sent', timestamp, device });
  return gzipSync(JSON.stringify({ logs: Array.from({ length: LOGS }, log) }));
}

export async function openCounting(server: RunningServer): Promise<Counting> {
  const { api_token: token } = await createToken(server, { description: 'counting' });
  const body = { name: 'counted', display_name: 'Counted', os: 'iOS', platform: 'Objective-C-Swift' };
  const created = await send('POST', `${server.httpUrl}/v0.1/apps`, { token, body });
  const { app_secret: secret } = created.json<{ app_secret: string }>();
  const app = `/v0.1/apps/ada/counted/analytics`;
  const sent = { acknowledged: 0, open: 0 };
  const unanswered: Sending[] = [];
  const messages = new Set<string>();

  const post = (httpUrl: string, { install, raw }: Sending) => {
    const headers = {
      'app-secret': secret,
      'install-id': install,
      'content-type': 'application/json',
      'content-encoding': 'gzip',
    };
    return send('POST', `${httpUrl}/logs?api-version=1.0.0`, { headers, raw });
  };
  const refusalOf = (answer: Answer): string => {
    assert.equal(answer.status, 503, answer.text);
    return answer.json<{ error: { message: string } }>().error.message;
  };
  const ask: Counting['ask'] = ({ httpUrl }, days = 2) => {
    const start = new Date(Date.now() - (days - 1) * 86_400_000).toISOString();
    return send('GET', `${httpUrl}${app}/events?start=${start}&$top=0`, { token });
  };

  return {
    sent,
    messages,
    ask,
    startSending({ httpUrl }) {
      let isOver = false;
      const lane = async () => {
        while (!isOver) {
          const sending = { install: randomUUID(), raw: batch() };
          const answer = await post(httpUrl, sending).catch(() => undefined);
          // A server that ends may have kept what it did not acknowledge.
          if (!answer) {
            sent.open += LOGS;
            unanswered.push(sending);
            return;
          }
          if (answer.status === 200) sent.acknowledged += LOGS;
          else {
            messages.add(refusalOf(answer));
            assert.match(String(answer.headers['x-ms-retry-after-ms']), /^\d+$/, answer.text);
            await sleep(50);
          }
          await sleep(5);
        }
      };
      const lanes = Promise.all(Array.from({ length: SENDERS }, lane));
      return {
        done: lanes,
        async stop() {
          isOver = true;
          await lanes;
        },
      };
    },
    async sendAgain({ httpUrl }) {
      for (const sending of unanswered.splice(0)) {
        const answer = await post(httpUrl, sending);
        assert.equal(answer.status, 200, answer.text);
        sent.open -= LOGS;
        sent.acknowledged += LOGS;
      }
    },
    async deleteEvents({ httpUrl }) {
      const answer = await send('DELETE', `${httpUrl}${app}/events/sent`, { token });
      assert.ok(answer.status < 300, answer.text);
    },
    async untilDeleted({ httpUrl }) {
      const begun = performance.now();
      for (;;) {
        const answer = await send('GET', `${httpUrl}${app}/deletions`, { token });
        const [deletion] = answer.json<{ values: { file_count: number; files_left: number }[] }>().values;
        assert.ok(deletion, answer.text);
        if (deletion.files_left === 0) return deletion.file_count;
        assert.ok(performance.now() - begun < PATIENCE, `Not deleted: ${answer.text}`);
        await sleep(200);
      }
    },
    async untilCounted(server) {
      const begun = performance.now();
      for (;;) {
        const answer = await ask(server);
        if (answer.status !== 200) messages.add(refusalOf(answer));
        else {
          const [counted] = answer.json<{ events: { count: number }[] }>().events;
          const count = counted?.count ?? 0;
          assert.ok(
            count <= sent.acknowledged + sent.open,
            `${count} are counted of ${sent.acknowledged} that were sent`,
          );
          if (count >= sent.acknowledged) return count;
        }
        assert.ok(performance.now() - begun < PATIENCE, `Not counted: ${answer.text}\n${server.output()}`);
        await sleep(200);
      }
    },
  };
}
