import { type DestinationStream, destination, type Logger, pino } from 'pino';

export type Log = Logger;

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Lines are gathered and written off the request's path; `flush` before the process ends. */
export function createLog(level: string, to: DestinationStream = bufferedStdout()): Log {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, to);
}

const bufferedStdout = (): DestinationStream =>
  destination({ fd: 1, sync: false, minLength: 4096, periodicFlush: 500 });
