import { type LogDevice, readEventDevice, type Sdk } from './sentry-device.ts';
import { type Fields, toFields, toIsoTime, toText, toUuid, UNKNOWN_INSTALL } from './sentry-values.ts';

/** The fields of an event that are stored. Others, such as the user's address or cookies of a request, are not. */
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
] as const;

const toValues = (value: unknown): readonly unknown[] => {
  const list = Array.isArray(value) ? value : toFields(value).values;
  return Array.isArray(list) ? list : [];
};

const mechanisms = (event: Fields): Fields[] =>
  toValues(event.exception).map((exception) => toFields(toFields(exception).mechanism));

/** Reports about an app that did not respond say nothing about whether they were handled. */
const hangs = /^(ANR|AppExitInfo|HistoricalAppExitInfo|AppHang)$/;

export const isHang = (event: Fields): boolean => mechanisms(event).some(({ type }) => hangs.test(String(type)));

/** A crash has an exception that the app did not handle, ended the app by a hang, or is described by a minidump only. */
export function isCrash(event: Fields, hasMinidump: boolean): boolean {
  const all = mechanisms(event);
  if (all.some(({ handled }) => handled === false)) return true;
  if (isHang(event)) return event.level === 'fatal' || all.some(({ type }) => type === 'ANR');
  return hasMinidump && (all.length === 0 || all.every(({ handled }) => handled === undefined));
}

/** The install of an event: SDKs name it in different places, and some name only the user. */
export function findEventInstall(event: Fields): string {
  const contexts = toFields(event.contexts);
  const user = toFields(event.user);
  const sent = [
    toFields(contexts.device).id,
    toFields(contexts.app).device_app_hash,
    user.id,
    user.email,
    user.username,
    event.server_name,
  ];
  const first = sent.map((value) => toText(value)).find((text) => text !== undefined);
  return first === undefined ? UNKNOWN_INSTALL : toUuid(first);
}

export function findEventUser({ user }: Fields, installId: string): string | undefined {
  const { id, email, username } = toFields(user);
  const userId = toText(id) ?? toText(email) ?? toText(username);
  // SDKs send the ID of the install unless the app sets a user.
  return userId === undefined || toUuid(userId) === installId ? undefined : userId;
}

const MAX_TAGS = 50;

/** Tags as pairs or as an object. */
function readTags(value: unknown): [string, string][] {
  const pairs: unknown[] = Array.isArray(value) ? value.slice(0, MAX_TAGS) : Object.entries(toFields(value));
  return pairs.slice(0, MAX_TAGS).flatMap((pair) => {
    const [name, tag] = Array.isArray(pair) ? pair : [toFields(pair).key, toFields(pair).value];
    const [key, text] = [toText(name, 200), toText(tag, 200)];
    return key === undefined || text === undefined ? [] : [[key, text] as [string, string]];
  });
}

export interface EventOptions {
  eventId: string;
  sdk: Sdk;
  /** The install of the sessions in the same envelope. */
  installId?: string | undefined;
  sessionId?: string | undefined;
  hasMinidump: boolean;
  /** Milliseconds to add to the time of the device. */
  drift: number;
  now: number;
}

export interface EventLog {
  log: Fields;
  installId: string;
  device: LogDevice;
}

/** Converts an event to a log of a crash or of a handled error, which has the stored fields of the event. */
export function toEventLog(event: Fields, options: EventOptions): EventLog {
  const { eventId, sdk, sessionId, hasMinidump, drift, now } = options;
  const installId = options.installId ?? findEventInstall(event);
  const device = readEventDevice(event, sdk);
  const sentry = Object.fromEntries(
    storedFields.flatMap((name) => (event[name] === undefined || event[name] === null ? [] : [[name, event[name]]])),
  );
  const described: [string, string | undefined][] = [
    ['environment', toText(event.environment, 64)],
    [
      'mechanism',
      mechanisms(event)
        .map(({ type }) => toText(type, 64))
        .find(Boolean),
    ],
    ['hang', isHang(event) ? 'true' : undefined],
  ];
  const userId = findEventUser(event, installId);
  const log = {
    type: isCrash(event, hasMinidump) ? 'managedError' : 'handledError',
    id: eventId,
    timestamp: toIsoTime(event.timestamp, { drift, now }),
    ...(sessionId === undefined ? {} : { sid: sessionId }),
    ...(userId === undefined ? {} : { userId }),
    properties: Object.fromEntries([...described.filter(([, value]) => value !== undefined), ...readTags(event.tags)]),
    device,
    sentry: hasMinidump ? { ...sentry, has_minidump: true } : sentry,
  };
  return { log, installId, device };
}
