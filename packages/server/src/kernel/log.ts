import { type DestinationStream, destination, type Logger, pino } from 'pino';

export type Log = Logger;

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Caches the text of the current millisecond, because many lines share it and formatting it is expensive. */
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

/** Collects lines and writes them in the background. Call `flush` before the process ends. */
export const createLog = (level: string, to: DestinationStream = bufferedStdout()): Log =>
  pino({ level, base: null, timestamp: createTimestamp() }, to);

/**
 * Writes a line at level info for each of many objects. The log line of a request is the only one on a hot path, and
 * pino's general method takes several times as long.
 */
export function lineWriter(log: Log): (things: readonly object[]) => void {
  const stamp = createTimestamp();
  // Pino's documented symbol for the stream of a logger.
  const to = Reflect.get(log, pino.symbols.streamSym) as DestinationStream | undefined;
  return (things) => {
    if (!log.isLevelEnabled('info')) return;
    let text = '';
    for (const thing of things)
      text += `{"level":${pino.levels.values.info}${stamp()},${JSON.stringify(thing).slice(1)}\n`;
    to?.write(text);
  };
}

/** If the output is blocked, lines beyond 16 MB are dropped rather than kept in memory. */
const bufferedStdout = (): DestinationStream =>
  destination({ fd: 1, sync: false, minLength: 16_000, maxLength: 16_777_216, periodicFlush: 500 });
