import { isObject } from './envelope-reader.ts';
import { type Fields, toFields, toText } from './sentry-values.ts';

/** The fields of an event that are stored. Others, such as cookies of a request, are not. */
const storedFields = [
  'platform',
  'level',
  'logger',
  'transaction',
  'environment',
  'release',
  'dist',
  'fingerprint',
  'message',
  'logentry',
  'exception',
  'threads',
  'stacktrace',
  'debug_meta',
  'breadcrumbs',
  'contexts',
  'tags',
  'extra',
  'user',
] as const;

/** SDKs send 100. */
export const MAX_BREADCRUMBS = 200;
const MAX_TAGS = 50;
/** More frames than a stack shows. */
const MAX_FRAMES = 500;
const MAX_THREADS = 520;
const MAX_EXCEPTIONS = 100;
const MAX_IMAGES = 2000;

/** Some SDKs send a list, others an object with it. */
export const toValues = (value: unknown): readonly unknown[] => {
  const list = Array.isArray(value) ? value : toFields(value).values;
  return Array.isArray(list) ? list : [];
};

/** Tags as pairs or as an object. */
export function readTags(value: unknown): [string, string][] {
  const pairs: unknown[] = Array.isArray(value) ? value.slice(0, MAX_TAGS) : Object.entries(toFields(value));
  return pairs.slice(0, MAX_TAGS).flatMap((pair) => {
    const [name, tag] = Array.isArray(pair) ? pair : [toFields(pair).key, toFields(pair).value];
    const [key, text] = [toText(name, 200), toText(tag, 200)];
    return key === undefined || text === undefined ? [] : [[key, text] as [string, string]];
  });
}

/** Neither the IP address of a user is stored, nor the place that SDKs derive from it. */
function readUser(value: unknown): Fields {
  const { id, email, username } = toFields(value);
  const known = { id: toText(id), email: toText(email), username: toText(username) };
  return Object.fromEntries(Object.entries(known).filter(([, text]) => text !== undefined));
}

const takeEnds = (list: readonly unknown[], most: number): readonly unknown[] =>
  list.length <= most ? list : [...list.slice(0, most / 2), ...list.slice(-most / 2)];

function shortenFrames(value: unknown): unknown {
  const { frames } = toFields(value);
  return Array.isArray(frames) && frames.length > MAX_FRAMES
    ? { ...toFields(value), frames: takeEnds(frames, MAX_FRAMES) }
    : value;
}

const shortenStack = (value: unknown): unknown =>
  isObject(value) ? { ...value, stacktrace: shortenFrames(value.stacktrace) } : value;

/** Reports show no more than this of each field; a log with too many values would not be stored at all. */
const shorten: Partial<Record<(typeof storedFields)[number], (value: unknown) => unknown>> = {
  tags: readTags,
  user: readUser,
  exception: (value) => ({ values: takeEnds(toValues(value), MAX_EXCEPTIONS).map(shortenStack) }),
  threads: (value) => ({ values: toValues(value).slice(0, MAX_THREADS).map(shortenStack) }),
  stacktrace: shortenFrames,
  fingerprint: (value) => (Array.isArray(value) ? value.slice(0, MAX_TAGS) : value),
  debug_meta: (value) => {
    const { images } = toFields(value);
    return Array.isArray(images) ? { images: images.slice(0, MAX_IMAGES) } : {};
  },
};

/** The stored part of an event. `toTime` corrects times by the clock of the device. */
export function toStoredEvent(event: Fields, toTime: (sentAt: unknown) => string): Fields {
  const stored: Record<string, unknown> = {};
  for (const name of storedFields) {
    const value = event[name];
    if (value !== undefined && value !== null) stored[name] = shorten[name]?.(value) ?? value;
  }
  const breadcrumbs = toValues(event.breadcrumbs).slice(-MAX_BREADCRUMBS);
  if (breadcrumbs.length > 0) {
    stored.breadcrumbs = breadcrumbs.map((one) =>
      isObject(one) && one.timestamp !== undefined ? { ...one, timestamp: toTime(one.timestamp) } : one,
    );
  } else delete stored.breadcrumbs;
  return stored;
}
