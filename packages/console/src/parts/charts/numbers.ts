const integer = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });
const fine = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });
const share = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
const change = new Intl.NumberFormat(undefined, {
  style: 'percent',
  maximumFractionDigits: 0,
  signDisplay: 'exceptZero',
});

/** "1,204" */
export const inFull = (count: number): string => integer.format(count);
/** "1.2K", where there is little room. */
export const inShort = (count: number): string => (Number.isInteger(count) ? short : fine).format(count);
/** "2.35" */
export const asRatio = (ratio: number): string => fine.format(ratio);
/** "12.5%"; nothing of nothing is nothing. */
export const asShare = (part: number, all: number): string => share.format(all > 0 ? part / all : 0);

/** How much more it is than before: "+12%". Undefined where there was nothing to compare with. */
export const asChange = (now: number, before: number): string | undefined =>
  before > 0 ? change.format((now - before) / before) : undefined;

const durationParts = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?$/;

/** The seconds of an ISO 8601 duration. */
export function secondsOf(duration: string): number {
  const [, days = 0, hours = 0, minutes = 0, seconds = 0] = durationParts.exec(duration) ?? [];
  return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
}

/** "4 min 10 s" */
export function lengthInWords(seconds: number): string {
  const total = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(total / 3600), Math.floor((total % 3600) / 60), total % 60];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${rest} s` : `${rest} s`;
}
