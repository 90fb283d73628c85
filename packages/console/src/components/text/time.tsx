import { useSyncExternalStore } from 'react';
import { formatTime, formatTimeWithUtc } from './format-time.ts';

const MINUTE = 60_000;

const subscribeToMinutes = (listener: () => void): (() => void) => {
  const timer = setInterval(listener, MINUTE);
  return () => clearInterval(timer);
};
const getMinute = (): number => Math.floor(Date.now() / MINUTE);

/** Relative within a week, then the date; a tooltip shows the exact time. */
export function Time({ at }: { at: string | number }) {
  useSyncExternalStore(subscribeToMinutes, getMinute);
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} title={formatTimeWithUtc(date.getTime())}>
      {formatTime(date.getTime(), Date.now())}
    </time>
  );
}
