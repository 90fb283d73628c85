import { useSyncExternalStore } from 'react';
import { everyTime, timeInWords } from './time-words.ts';

const MINUTE = 60_000;

const eachMinute = (tell: () => void): (() => void) => {
  const timer = setInterval(tell, MINUTE);
  return () => clearInterval(timer);
};
const thisMinute = (): number => Math.floor(Date.now() / MINUTE);

/** A moment: how long ago in its first week, then its day; exactly, when pointed at. */
export function Time({ at }: { at: string | number }) {
  useSyncExternalStore(eachMinute, thisMinute);
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} title={everyTime(date.getTime())}>
      {timeInWords(date.getTime(), Date.now())}
    </time>
  );
}
