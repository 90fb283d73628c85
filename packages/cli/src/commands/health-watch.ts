import { buildFilter, filterOptions } from '../event-filter.ts';
import { eventColumns, type HealthEvent } from '../event-views.ts';
import { command } from '../framework/command.ts';
import { wrongUsage } from '../framework/errors.ts';
import { keepLooking, untilStopped } from '../keep-looking.ts';
import { createNews } from '../news.ts';
import { gatherLinks } from '../paging.ts';
import { readTime } from '../times.ts';
import { readEvents } from './health.ts';

const SECOND = 1000;
const USUAL = 10;

function readInterval(text = String(USUAL)): number {
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (seconds < 1 || seconds > 3600) {
    throw wrongUsage(`--interval must be a number of seconds from 1 to 3600, not "${text}".`);
  }
  return seconds * SECOND;
}

export const healthWatchCommands = [
  command({
    name: 'health watch',
    summary: 'Prints events as they are published and updated, until Ctrl-C',
    options: {
      ...filterOptions,
      since: { value: 'WHEN', summary: 'Begin with those updated from this date or time on, or from a span ago' },
      interval: { value: 'SECONDS', summary: `How often to ask the server (default ${USUAL})` },
    },
    run({ options: { since, subscription, ...choice }, out, connect }) {
      const interval = readInterval(choice.interval);
      const start = readTime('--since', since, { now: Date.now(), direction: -1 });
      const { call, server } = connect();
      return untilStopped(async (signal) => {
        const news = createNews(start);
        const read = async (limit = 'all'): Promise<HealthEvent[]> => {
          const asked = { subscription, filter: buildFilter({ ...choice, since: news.from() }, Date.now()) };
          return (await gatherLinks(limit, (token) => readEvents(call, asked, { ...token, signal }))).value;
        };
        const look = async () => {
          for (const event of news.among(await read())) out.line(event, event, eventColumns);
        };
        if (start !== undefined) await look();
        // The newest one says from when on the others are read; all that is there now is no news.
        else if (news.among(await read('1')).length > 0) news.among(await read());
        out.note(`Watching ${server}; Ctrl-C ends it.`);
        return keepLooking({ look, interval, signal, server, out });
      });
    },
  }),
];
