import type { FunnelQuery } from '../../../api/telemetry/explore.ts';

// Charts are defined by their URL, as text; saved charts contain the same values.

export type Step = FunnelQuery['steps'][number];

/** Names can contain separators, so each is encoded before joining. */
const encoded = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replaceAll('~', '%7E').replaceAll('!', '%21');
const join = (texts: readonly string[]): string => texts.map(encoded).join('~');
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
const split = (text: string): string[] => text.split('~').map(decoded);

/** `open!buy~plan~pro` */
export const stepsToText = (steps: readonly Step[]): string =>
  steps
    .map(({ event, property, value }) => join([event, ...(property && value !== undefined ? [property, value] : [])]))
    .join('!');

export const stepsFromText = (text: string): Step[] =>
  (text === '' ? [] : text.split('!')).map((step) => {
    const [event = '', property, value] = split(step);
    return { event, ...(property && value !== undefined ? { property, value } : {}) };
  });
