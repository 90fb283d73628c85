import { setTimeout } from 'node:timers/promises';
import { ApiError } from '@mooring/contract';
import { Unreachable } from '../connection.ts';
import { buildFilter, filterOptions } from '../event-filter.ts';
import { eventColumns, type HealthEvent } from '../event-views.ts';
import { command } from '../framework/command.ts';
import { wrongUsage } from '../framework/errors.ts';
import { createNews } from '../news.ts';
import type { Output } from '../output.ts';
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

/** How long to wait before asking again, if that can help. */
function patienceFor(error: unknown): number | undefined {
  if (error instanceof Unreachable) return 0;
  if (!(error instanceof ApiError) || (error.status < 500 && error.status !== 429)) return undefined;
  return (error.retryAfter ?? 0) * SECOND;
}

interface Watch {
  /** Tells what is new. */
  look(): Promise<void>;
  interval: number;
  signal: AbortSignal;
  server: string;
  out: Output;
}

/** Looks again and again; a server that is away for a while is no reason to end. */
async function keepLooking({ look, interval, signal, server, out }: Watch): Promise<never> {
  let isAway = false;
  for (let wait = interval; ; ) {
    await setTimeout(wait, undefined, { signal });
    try {
      await look();
      if (isAway) out.note(`${server} answers again.`);
      isAway = false;
      wait = interval;
    } catch (error) {
      const patience = patienceFor(error);
      if (patience === undefined) throw error;
      if (!isAway) out.note(`${(error as Error).message} Asking again until it answers.`);
      isAway = true;
      wait = Math.max(interval, patience);
    }
  }
}

/** Runs until it fails, or until somebody ends it. */
async function untilStopped(work: (signal: AbortSignal) => Promise<never>): Promise<void> {
  const stop = new AbortController();
  const end = () => stop.abort();
  process.on('SIGINT', end).on('SIGTERM', end);
  try {
    await work(stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end);
  }
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
