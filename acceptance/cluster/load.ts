import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, send } from '../harness/http.ts';

/** A requested change with a unique name. `acknowledged` once a response confirmed it. */
export interface Change {
  action: 'api_token.create' | 'app.create' | 'health_event.publish';
  name: string;
  acknowledged: boolean;
  /** When the response arrived. */
  at: number;
}

export interface Load {
  changes: Change[];
  /** The number of responses by status, and of `broken` connections. */
  answers: Map<number | 'broken', number>;
  stop(): Promise<void>;
}

const event = (name: string) => ({
  properties: {
    title: name,
    eventType: 'ServiceIssue',
    eventLevel: 'Warning',
    level: 'Warning',
    status: 'Active',
    impactStartTime: '2026-11-01T09:00:00Z',
    impact: [{ impactedService: 'Mail', impactedRegions: [{ impactedRegion: 'North', status: 'Active' }] }],
  },
});

/** Makes changes of three kinds until it is stopped. Failed ones are not retried, so that each response counts. */
export function startLoad(
  url: string,
  options: { token: string; ca: string; writers: number; firstWriter?: number },
): Load {
  const { token, ca, writers, firstWriter = 0 } = options;
  const changes: Change[] = [];
  const answers: Load['answers'] = new Map();
  let isOver = false;

  const kinds: [Change['action'], (name: string) => Promise<Answer>][] = [
    ['api_token.create', (name) => send('POST', `${url}/v0.1/api_tokens`, { token, ca, body: { description: name } })],
    [
      'app.create',
      (name) =>
        send('POST', `${url}/v0.1/apps`, {
          token,
          ca,
          body: { name, display_name: name, os: 'Linux', platform: 'Electron' },
        }),
    ],
    [
      'health_event.publish',
      (name) =>
        send('PUT', `${url}/providers/Vendor.ResourceHealth/events/${name}?api-version=2024-02-01`, {
          token,
          ca,
          body: event(name),
        }),
    ],
  ];

  async function write(writer: number): Promise<void> {
    for (let n = 0; !isOver; n++) {
      const [action, make] = kinds[n % kinds.length] ?? kinds[0] ?? [];
      if (!action || !make) throw new Error('There are no kinds of changes.');
      const name = `W${writer}-${n}`;
      const change: Change = { action, name, acknowledged: false, at: 0 };
      changes.push(change);
      const answer = await make(name).catch(() => undefined);
      answers.set(answer?.status ?? 'broken', (answers.get(answer?.status ?? 'broken') ?? 0) + 1);
      change.acknowledged = answer?.status === 201;
      change.at = performance.now();
      if (!change.acknowledged) await sleep(50);
    }
  }

  const running = Promise.all(Array.from({ length: writers }, (_, writer) => write(firstWriter + writer)));
  return {
    changes,
    answers,
    async stop() {
      isOver = true;
      await running;
    },
  };
}
