const integer = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });
const fine = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });
const share = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
const signed = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1, signDisplay: 'exceptZero' });
const change = new Intl.NumberFormat(undefined, {
  style: 'percent',
  maximumFractionDigits: 0,
  signDisplay: 'exceptZero',
});

/** "1,204" */
export const formatNumber = (count: number): string => integer.format(count);
/** Compact: "1.2K" */
export const formatCompact = (count: number): string => (Number.isInteger(count) ? short : fine).format(count);
/** "2.35" */
export const formatRatio = (ratio: number): string => fine.format(ratio);
/** "12.5%"; an empty total is 0. */
export const formatShare = (part: number, all: number): string => share.format(all > 0 ? part / all : 0);

/** From a smaller value, a percentage says nothing: from 1 to 3 is +200%. */
const MIN_BASE = 10;

/** Relative change: "+12%". Undefined without an earlier value that is large enough to compare to. */
export const formatChange = (now: number, before: number, minBase = MIN_BASE): string | undefined =>
  before > 0 && before >= minBase ? change.format((now - before) / before) : undefined;

/** Change of a percentage: "+2.4 points". */
export const formatPoints = (now: number, before: number): string => {
  const points = Math.round((now - before) * 10) / 10;
  return `${signed.format(points)} ${Math.abs(points) === 1 ? 'point' : 'points'}`;
};

const durationPattern = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?$/;

/** Parses an ISO 8601 duration into seconds. */
export function parseDuration(duration: string): number {
  const [, days = 0, hours = 0, minutes = 0, seconds = 0] = durationPattern.exec(duration) ?? [];
  return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
}

/** "4 min 10 s" */
export function formatDuration(seconds: number): string {
  const total = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(total / 3600), Math.floor((total % 3600) / 60), total % 60];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${rest} s` : `${rest} s`;
}
