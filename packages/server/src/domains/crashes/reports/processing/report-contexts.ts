import { cut, type Fields, isObject, toObject, toText } from '../values.ts';
import { getSentryEvent } from './sentry-stack.ts';

type Texts = Record<string, string>;

/** The environment of a report, as the app described it. */
export interface ReportContexts {
  user: Texts;
  contexts: Record<string, Texts>;
  extra: Texts;
}

const MAX_CONTEXTS = 30;
/** Of all contexts together, and of the extra data; the stored log has the rest. */
const MAX_VALUES = 200;
const MAX_NAME_LENGTH = 100;
const MAX_TEXT_LENGTH = 500;

const isScalar = (value: unknown): boolean => value !== null && typeof value !== 'object';

function toValueText(value: unknown): string | undefined {
  if (!isObject(value) && !Array.isArray(value)) return toText(value, MAX_TEXT_LENGTH);
  const values: unknown[] = Object.values(value);
  if (values.length === 0) return undefined;
  return cut(Array.isArray(value) && value.every(isScalar) ? value.join(', ') : JSON.stringify(value), MAX_TEXT_LENGTH);
}

function toTexts(fields: Fields, most: number): Texts {
  const texts: [string, string][] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (texts.length >= most) break;
    const text = toValueText(value);
    if (text !== undefined) texts.push([cut(name, MAX_NAME_LENGTH), text]);
  }
  return Object.fromEntries(texts);
}

/** Reads user, contexts and extra data in the event of a Sentry SDK; undefined for other logs. */
export function readContexts(log: Fields): ReportContexts | undefined {
  const event = getSentryEvent(log);
  if (!event) return undefined;
  const { id, email, username } = toObject(event.user);
  const contexts: [string, Texts][] = [];
  let left = MAX_VALUES;
  for (const [name, value] of Object.entries(toObject(event.contexts)).slice(0, MAX_CONTEXTS)) {
    // SDKs repeat the name of a context in it.
    const { type, ...fields } = toObject(value);
    const texts = toTexts(type === name ? fields : toObject(value), left);
    const count = Object.keys(texts).length;
    left -= count;
    if (count > 0) contexts.push([cut(name, MAX_NAME_LENGTH), texts]);
  }
  return {
    user: toTexts({ id, email, username }, MAX_VALUES),
    contexts: Object.fromEntries(contexts),
    extra: toTexts(toObject(event.extra), MAX_VALUES),
  };
}
