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

/** When nobody reads the output, lines beyond 16 MB are dropped rather than kept in memory. */
const bufferedStdout = (): DestinationStream =>
  destination({ fd: 1, sync: false, minLength: 4096, maxLength: 16_777_216, periodicFlush: 500 });
