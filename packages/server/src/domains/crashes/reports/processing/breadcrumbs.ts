import { type Fields, isObject, toList, toObject, toText } from '../values.ts';
import { getSentryEvent } from './sentry-stack.ts';

/** Something that happened before a report, as the app recorded it. */
export interface Breadcrumb {
  type: 'event' | 'page';
  at: number | undefined;
  name: string;
  properties: Record<string, string>;
}

const MAX_PROPERTIES = 20;
const MAX_TEXT_LENGTH = 125;

function toProperties({ category, level, data, message }: Fields, name: string): Record<string, string> {
  const described = { category, level, ...(message === name ? {} : { message }), ...toObject(data) };
  const known = Object.entries(described).flatMap(([key, value]) => {
    const text = isObject(value) || Array.isArray(value) ? undefined : toText(value, MAX_TEXT_LENGTH);
    return text === undefined || text === name ? [] : [[key.slice(0, MAX_TEXT_LENGTH), text] as const];
  });
  return Object.fromEntries(known.slice(0, MAX_PROPERTIES));
}

/** Breadcrumbs in the event of a Sentry SDK, oldest first. A change of the screen is a page. */
export function listBreadcrumbs(log: Fields): Breadcrumb[] {
  const sent = getSentryEvent(log)?.breadcrumbs;
  return toList(Array.isArray(sent) ? sent : toObject(sent).values)
    .filter(isObject)
    .map((one) => {
      const { category, type, message, data, timestamp } = one;
      const { to, screen } = toObject(data);
      const page =
        category === 'navigation' || type === 'navigation' ? (toText(to, 256) ?? toText(screen, 256)) : undefined;
      const name = page ?? toText(message, 256) ?? toText(category, 256) ?? toText(type, 256) ?? '';
      const at = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
      return {
        type: page === undefined ? 'event' : 'page',
        at: Number.isNaN(at) ? undefined : at,
        name,
        properties: toProperties(one, name),
      };
    });
}
