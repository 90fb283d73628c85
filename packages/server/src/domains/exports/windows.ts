import { HOUR, MINUTE, toIso } from '../../kernel/clock.ts';

/** How records become files: a JSON array by minute, as it always was, or lines or columns by hour. */
export type Format = 'minutes' | 'json_lines' | 'parquet';

const lengths: Readonly<Record<Format, number>> = { minutes: MINUTE, json_lines: HOUR, parquet: HOUR };

/** Of servers whose clocks differ a little one may still add to a window that is over for another. */
const MARGIN = MINUTE;

/** Windows are numbered since 1970, by when something came: what a device sends late changes no file. */
export const windowOf = (format: Format, receivedAt: number): number => Math.floor(receivedAt / lengths[format]);

export const isOver = (format: Format, window: number, now: number): boolean =>
  now >= (window + 1) * lengths[format] + MARGIN;

/** Its folder: `2026/11/01/09/07`, or without the minute. */
export const folderOf = (format: Format, window: number): string =>
  toIso(window * lengths[format])
    .slice(0, format === 'minutes' ? 16 : 13)
    .replace(/[-T:]/g, '/');
