import type { FunnelAsked } from '../../api/explore.ts';

// What the pages that explore are asked lives in the address, as text; a kept chart is the same.

export type Step = FunnelAsked['steps'][number];

/** Names may hold anything, so each is encoded before they are joined. */
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
