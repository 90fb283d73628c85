const SECOND = 1000;
const MINUTE = 60;
const HOUR = 60 * MINUTE;

const pad = (value: number): string => String(value).padStart(2, '0');

/** The time before a crash: `−00:42`, or `−1:02:03` beyond an hour. */
export function formatOffset(at: number, crash: number): string {
  const seconds = Math.round(Math.abs(at - crash) / SECOND);
  const sign = seconds === 0 ? '' : at < crash ? '−' : '+';
  const [hours, minutes] = [Math.floor(seconds / HOUR), Math.floor((seconds % HOUR) / MINUTE)];
  return `${sign}${hours > 0 ? `${hours}:` : ''}${pad(minutes)}:${pad(seconds % MINUTE)}`;
}

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });

/** Local time of the day, to the second. */
export const formatClock = (at: number): string => clock.format(at);
