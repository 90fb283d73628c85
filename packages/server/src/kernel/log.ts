import { type DestinationStream, destination, type Logger, pino } from 'pino';

export type Log = Logger;

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Many lines fall into one millisecond, and writing a time out is a good part of what a line costs. */
function createTimestamp(): () => string {
  let last = 0;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== last) {
      last = now;
      text = `,"time":"${new Date(now).toISOString()}"`;
    }
    return text;
  };
}

/** Lines are gathered and written off the request's path; `flush` before the process ends. */
export const createLog = (level: string, to: DestinationStream = bufferedStdout()): Log =>
  pino({ level, base: null, timestamp: createTimestamp() }, to);

/**
 * Writes a line at level info for each of many things at once. The log line of a request is the only one on a hot path,
 * and pino's general way to make a line costs it several times as much.
 */
export function lineWriter(log: Log): (things: readonly object[]) => void {
  const stamp = createTimestamp();
  // Pino's documented symbol for where a logger writes to.
  const to = Reflect.get(log, pino.symbols.streamSym) as DestinationStream | undefined;
  return (things) => {
    if (!log.isLevelEnabled('info')) return;
    let text = '';
    for (const thing of things)
      text += `{"level":${pino.levels.values.info}${stamp()},${JSON.stringify(thing).slice(1)}\n`;
    to?.write(text);
  };
}

/** When nobody reads the output, lines beyond 16 MB are dropped rather than kept in memory. */
const bufferedStdout = (): DestinationStream =>
  destination({ fd: 1, sync: false, minLength: 16_000, maxLength: 16_777_216, periodicFlush: 500 });
