import { HOUR, MINUTE, toIso } from '../../kernel/clock.ts';

/** File formats: a JSON array per minute, as in App Center, or lines or columns per hour. */
export type Format = 'minutes' | 'json_lines' | 'parquet';

const lengths: Readonly<Record<Format, number>> = { minutes: MINUTE, json_lines: HOUR, parquet: HOUR };

/** Servers whose clocks differ slightly may still add to a window that has ended for others. */
const MARGIN = MINUTE;

/** Number of a window since 1970, by time of arrival, so that delayed logs change no files. */
export const toWindow = (format: Format, receivedAt: number): number => Math.floor(receivedAt / lengths[format]);

export const isOver = (format: Format, window: number, now: number): boolean =>
  now >= (window + 1) * lengths[format] + MARGIN;

/** Folder of a window: `2026/11/01/09/07`, or without the minute. */
export const toFolder = (format: Format, window: number): string =>
  toIso(window * lengths[format])
    .slice(0, format === 'minutes' ? 16 : 13)
    .replace(/[-T:]/g, '/');
