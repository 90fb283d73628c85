import { readTime } from '../../arguments/times.ts';
import { command } from '../../framework/command.ts';
import { wrongUsage } from '../../framework/errors.ts';
import { buildFilter, filterOptions } from '../../health/event-filter.ts';
import { createEventTracker } from '../../health/event-tracker.ts';
import { eventColumns, type HealthEvent } from '../../health/event-views.ts';
import { gatherLinks } from '../../lists/paging.ts';
import { poll, untilStopped } from '../../lists/poll.ts';
import { readEvents } from './health.ts';

const SECOND = 1000;
const DEFAULT_INTERVAL_SECONDS = 10;

function readInterval(text = String(DEFAULT_INTERVAL_SECONDS)): number {
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (seconds < 1 || seconds > 3600) {
    throw wrongUsage(`--interval must be from 1 to 3600 seconds, not "${text}".`);
  }
  return seconds * SECOND;
}

export const healthWatchCommands = [
  command({
    name: 'health watch',
    summary: 'Print health events as they are published and updated, until Ctrl-C',
    options: {
      ...filterOptions,
      since: {
        value: 'WHEN',
        summary: 'Start with events updated since this date or time, or within a duration such as 12h',
      },
      interval: { value: 'SECONDS', summary: `Seconds between requests (default ${DEFAULT_INTERVAL_SECONDS})` },
    },
    run({ options: { since, subscription, ...choice }, out, connect }) {
      const interval = readInterval(choice.interval);
      const start = readTime('--since', since, { now: Date.now(), direction: -1 });
      const { call, server } = connect();
      return untilStopped(async (signal) => {
        const tracker = createEventTracker(start);
        const read = async (limit = 'all'): Promise<HealthEvent[]> => {
          const query = { subscription, filter: buildFilter({ ...choice, since: tracker.getStart() }, Date.now()) };
          return (await gatherLinks(limit, (token) => readEvents(call, query, { ...token, signal }))).value;
        };
        const printChanges = async () => {
          for (const event of tracker.takeChanges(await read())) out.line(event, event, eventColumns);
        };
        if (start !== undefined) await printChanges();
        // Without --since, mark all current events as known. The newest one determines the time to read from.
        else if (tracker.takeChanges(await read('1')).length > 0) tracker.takeChanges(await read());
        out.note(`Watching ${server}. Press Ctrl-C to stop.`);
        return poll({ refresh: printChanges, interval, signal, server, out });
      });
    },
  }),
];
