import { expect, test } from 'vitest';
import { envelope, INSTALL, type Item, NOW, openSentry, session } from '../../../../test/harness/sentry.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { systemCtx } from '../../../context.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../kernel/clock.ts';
import { subjectTelemetry } from '../subject-records.ts';

const iso = (at: number) => new Date(at).toISOString();
const hex = (number: number) => number.toString(16).padStart(32, '0');

eachDatabase('durations of sessions of Sentry SDKs', (dialect) => {
  async function open() {
    const { sendEnvelope, process, get, ...intake } = await openSentry(dialect);
    const send = (...items: Item[]) => sendEnvelope(envelope({ sent_at: iso(NOW) }, ...items));
    const update = (id: number, more: object): Item => [{ type: 'session' }, session({ sid: hex(id), ...more })];
    const range = { start: iso(NOW - DAY), end: iso(NOW) };
    const durations = async () => {
      const { distribution, average_duration } = await get('analytics/session_durations_distribution', range);
      return {
        bands: distribution.map(({ count }: { count: number }) => count),
        average: average_duration,
      };
    };
    const sessions = async () =>
      (await get('analytics/session_counts', { ...range, interval: 'P1D' })).map(
        ({ count }: { count: number }) => count,
      );
    return { ...intake, send, update, process, get, durations, sessions };
  }

  test('come from the duration or the end of the last update, and count once over retries', async () => {
    const { send, update, process, durations, sessions } = await open();
    const started = iso(NOW - 2 * HOUR);
    for (let time = 0; time < 2; time += 1) {
      // Mobile SDKs send a duration; one of .NET has whole seconds.
      await send(update(1, { started, status: 'ok', timestamp: started }));
      await send(update(1, { started, init: false, status: 'exited', duration: 42.5, timestamp: iso(NOW) }));
      // Others send the time of the end only; a crash ends a session, too.
      await send(update(2, { started, init: false, status: 'crashed', timestamp: iso(NOW - 2 * HOUR + 20 * MINUTE) }));
      await send(update(3, { started, init: false, status: 'abnormal', duration: 5 }));
      // Errors during a session: the last update has its duration.
      await send(update(4, { started, init: false, status: 'errored', duration: 5 }));
      await send(update(4, { started, init: false, status: 'exited', duration: 4000 }));
      await process();
    }
    expect(await durations()).toEqual({ bands: [1, 0, 1, 1, 0, 1], average: 'PT21M51.875S' });
    expect((await sessions()).at(-1)).toBe(4);
  });

  test('are unknown if a session continues, or ended before it started or days later', async () => {
    const { send, update, process, durations, sessions } = await open();
    const started = iso(NOW - HOUR);
    await send(update(1, { started, status: 'ok', duration: 60 }));
    await send(update(2, { started, status: 'exited', timestamp: iso(NOW - DAY), duration: undefined }));
    await send(update(3, { started, status: 'exited', duration: -1, timestamp: 'soon' }));
    await send(update(4, { started: iso(NOW - 3 * DAY), status: 'exited', timestamp: iso(NOW) }));
    await send(update(5, { started, status: 'exited', duration: 1e300 }));
    await send(update(6, { started, status: { toString: 1 }, duration: '60', timestamp: [] }));
    await process();
    expect(await durations()).toMatchObject({ bands: [0, 0, 0, 0, 0, 0] });
    expect((await sessions()).at(-1)).toBe(5);
  });

  test('a session over midnight counts on the day of its start, with its whole duration', async () => {
    const { send, update, process, durations, sessions } = await open();
    const midnight = Math.floor(NOW / DAY) * DAY;
    await send(update(1, { started: iso(midnight - 5 * SECOND), status: 'exited', duration: 20 }));
    await process();
    expect(await sessions()).toEqual([1, 0]);
    expect(await durations()).toEqual({ bands: [0, 1, 0, 0, 0, 0], average: 'PT20S' });
  });

  test('an end is no log that searches and lists show, but part of the data of a person', async () => {
    const { send, update, process, get, app, id } = await open();
    await send(update(1, { status: 'exited', duration: 9 }));
    await process();
    const { logs } = await get('analytics/log_flow', {});
    expect(JSON.stringify(logs)).not.toContain('sessionEnd');
    expect(logs.map(({ type }: { type: string }) => type)).toEqual(['start_session']);
    const subject = { appId: id, kind: 'install', value: INSTALL } as const;
    const records = await Array.fromAsync(subjectTelemetry.read(systemCtx(app.deps), subject));
    expect(records).toMatchObject([{ type: 'startSession' }, { type: 'sessionEnd', at: iso(NOW - 51 * SECOND) }]);
  });
});
