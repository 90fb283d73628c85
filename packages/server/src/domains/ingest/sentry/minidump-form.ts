import { hash } from 'node:crypto';
import { SENTRY_EVENT_MAX_BYTES } from '@mooring/contract';
import { badRequest } from '../../../kernel/errors.ts';
import { isTooDeep, parseJson } from '../../../kernel/text/json.ts';
import { isObject } from './envelope-reader.ts';
import { readMsgpack } from './msgpack.ts';
import { type FormPart, readForm } from './multipart.ts';
import { type Fields, parseSentryTime, toFields, toHexId, toText } from './sentry-values.ts';
import { MAX_BREADCRUMBS, toValues } from './stored-event.ts';

/** A file of a report, as an item of an envelope has it. */
export interface SentFile {
  header: Fields;
  bytes: Uint8Array;
}

const DUMP = 'upload_file_minidump';
const MAX_DEPTH = 64;
const MAX_FIELDS = 100;
/** Crashpad writes them in turn. */
const MAX_BREADCRUMB_FILES = 2;
const breadcrumbFile = /^__sentry-breadcrumbs?\d$/;

function parseField(text: string): Fields {
  if (isTooDeep(text, MAX_DEPTH)) return {};
  try {
    const value = parseJson(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Sets `sentry[tags][plan]` in an object. */
function setNested(target: Record<string, unknown>, path: readonly string[], value: string): void {
  const [first = '', ...rest] = path;
  if (first === '__proto__' || path.length > 10) return;
  if (rest.length === 0) target[first] = value;
  else {
    const inner = isObject(target[first]) ? { ...target[first] } : {};
    setNested(inner, rest, value);
    target[first] = inner;
  }
}

/**
 * Merges the files that Crashpad saved: the event in `__sentry-event`, and breadcrumbs in two files that it writes in turn. The
 * others are attachments.
 */
export function takeCrashpadFiles(event: Fields | undefined, files: readonly SentFile[]) {
  const findOwn = (isNamed: (name: string) => boolean, most: number) =>
    files
      .filter(({ header, bytes }) => bytes.length <= SENTRY_EVENT_MAX_BYTES && isNamed(toText(header.filename) ?? ''))
      .slice(0, most);
  const events = findOwn((name) => name === '__sentry-event', 1);
  const breadcrumbFiles = findOwn((name) => breadcrumbFile.test(name), MAX_BREADCRUMB_FILES);
  const own = new Set([...events, ...breadcrumbFiles]);
  if (own.size === 0) return { event, files };
  const [saved] = events.flatMap(({ bytes }) => readMsgpack(bytes));
  const breadcrumbs = breadcrumbFiles
    .flatMap(({ bytes }) => readMsgpack(bytes).slice(-MAX_BREADCRUMBS))
    .map((one) => ({ one, at: parseSentryTime(one.timestamp) ?? 0 }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);
  const merged = {
    ...saved,
    ...event,
    tags: { ...toFields(saved?.tags), ...toFields(event?.tags) },
    breadcrumbs: [...toValues(saved?.breadcrumbs), ...breadcrumbs, ...toValues(event?.breadcrumbs)],
  };
  return { event: merged as Fields, files: files.filter((file) => !own.has(file)) };
}

/** The fields of the form: `sentry` with JSON, `sentry[release]`, and parts of long values such as `sentry__1`. */
function readFields(fields: readonly FormPart[]): Fields {
  const whole = new Map<string, Map<number, string>>();
  const nested: Record<string, unknown> = {};
  const others: [string, string][] = [];
  for (const { name, bytes } of fields) {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
    const [, key, number = '0'] = /^(sentry(?:___initialScope)?)(?:__(\d{1,3}))?$/.exec(name) ?? [];
    if (key !== undefined) whole.set(key, (whole.get(key) ?? new Map()).set(Number(number), text));
    else if (name.startsWith('sentry[')) {
      setNested(
        nested,
        [...name.matchAll(/\[([^\]]{0,200})\]/g)].map(([, part = '']) => part),
        text,
      );
    } else others.push([name.slice(0, 200), text.slice(0, 1000)]);
  }
  const parsed = [...whole.values()].map((parts) =>
    parseField(
      [...parts]
        .sort(([a], [b]) => a - b)
        .map(([, text]) => text)
        .join(''),
    ),
  );
  const extra = Object.fromEntries(others.filter(([name]) => name !== '__proto__'));
  const release = extra._productName ?? extra.prod;
  const version = extra._version ?? extra.ver;
  return {
    ...(release && version ? { release: `${release}@${version}` } : {}),
    ...Object.assign({}, ...parsed),
    ...nested,
    ...(others.length > 0 ? { extra } : {}),
  };
}

export interface MinidumpReport {
  eventId: string;
  event: Fields;
  /** True if the fields of the form exceed their limits, so that the event has none of them. */
  isTooLarge: boolean;
  files: readonly SentFile[];
}

/** Reads a report of Crashpad, Breakpad or Electron: a minidump, what was known before, and further files. */
export function readMinidumpForm(body: Uint8Array): MinidumpReport {
  const parts = readForm(body);
  const dump = parts.find(({ name, bytes }) => name === DUMP && bytes.length > 0);
  if (!dump) throw badRequest(`The form has no file ${DUMP}. Send the minidump in it.`);
  const isFile = ({ name, filename }: FormPart) => filename !== undefined || name.startsWith('__sentry-');
  const sent = parts.filter(isFile).map(({ name, filename, contentType, bytes }): SentFile => {
    const isDump = name === DUMP;
    return {
      header: {
        filename: isDump || !name.startsWith('__sentry-') ? filename : name,
        content_type: contentType,
        ...(isDump ? { attachment_type: 'event.minidump' } : {}),
      },
      bytes,
    };
  });
  const fields = parts.filter((part) => !isFile(part)).slice(0, MAX_FIELDS);
  // Together, because parts of a long value are joined before it is parsed.
  const isTooLarge = fields.reduce((sum, { bytes }) => sum + bytes.length, 0) > SENTRY_EVENT_MAX_BYTES;
  const { event, files } = takeCrashpadFiles(isTooLarge ? {} : readFields(fields), sent);
  const eventId = toHexId(event?.event_id) ?? hash('md5', dump.bytes, 'hex');
  const platform = toText(event?.platform, 20) ?? 'native';
  return { eventId, event: { level: 'fatal', ...event, platform, event_id: eventId }, isTooLarge, files };
}
