import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type Answer, createToken, send } from '../harness/http.ts';
import type { RunningServer } from '../harness/server.ts';

const DEVICES = 4;
const LOGS = 20;
/** Twice the lease of an interrupted job, plus the delay after a failure. */
const PATIENCE = 300_000;

/** An app with devices that send logs, and the checks that count them. */
export interface Counting {
  /** The number of acknowledged events, and of events that may have been stored without acknowledgement. */
  sent: { acknowledged: number; open: number };
  /** The responses that senders and readers got during the fault. */
  messages: Set<string>;
  /** Devices that send without a pause, until they are stopped or the server has ended. */
  startSending(server: RunningServer): { done: Promise<unknown>; stop(): Promise<void> };
  /** Repeats requests that got no response, as devices do. */
  sendAgain(server: RunningServer): Promise<void>;
  /** Counts the events of the last two days, or of more. */
  getCount(server: RunningServer, days?: number): Promise<Answer>;
  deleteEvents(server: RunningServer): Promise<void>;
  /** Waits until no file contains the deleted events; returns their number. */
  untilDeleted(server: RunningServer): Promise<number>;
  /** Waits until all acknowledged events are counted, and no more than were sent; returns their number. */
  untilCounted(server: RunningServer): Promise<number>;
}

/** A request, saved in case it must be repeated. */
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
  const getRefusal = (answer: Answer): string => {
    assert.equal(answer.status, 503, answer.text);
    return answer.json<{ error: { message: string } }>().error.message;
  };
  const getCount: Counting['getCount'] = ({ httpUrl }, days = 2) => {
    const start = new Date(Date.now() - (days - 1) * 86_400_000).toISOString();
    return send('GET', `${httpUrl}${app}/events?start=${start}&$top=0`, { token });
  };

  return {
    sent,
    messages,
    getCount,
    startSending({ httpUrl }) {
      let isOver = false;
      const lane = async () => {
        while (!isOver) {
          const sending = { install: randomUUID(), raw: batch() };
          const answer = await post(httpUrl, sending).catch(() => undefined);
          // A server that ends may have stored data that it did not acknowledge.
          if (!answer) {
            sent.open += LOGS;
            unanswered.push(sending);
            return;
          }
          if (answer.status === 200) sent.acknowledged += LOGS;
          else {
            messages.add(getRefusal(answer));
            assert.match(String(answer.headers['x-ms-retry-after-ms']), /^\d+$/, answer.text);
            await sleep(50);
          }
          await sleep(5);
        }
      };
      const lanes = Promise.all(Array.from({ length: DEVICES }, lane));
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
        const answer = await getCount(server);
        if (answer.status !== 200) messages.add(getRefusal(answer));
        else {
          const [counted] = answer.json<{ events: { count: number }[] }>().events;
          const count = counted?.count ?? 0;
          assert.ok(
            count <= sent.acknowledged + sent.open,
            `${count} events are counted, but only ${sent.acknowledged + sent.open} were sent`,
          );
          if (count >= sent.acknowledged) return count;
        }
        assert.ok(performance.now() - begun < PATIENCE, `Not counted: ${answer.text}\n${server.output()}`);
        await sleep(200);
      }
    },
  };
}
