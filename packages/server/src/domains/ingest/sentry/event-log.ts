import { type LogDevice, readEventDevice, type Sdk } from './sentry-device.ts';
import { type Fields, toFields, toHexId, toIsoTime, toText, toUuid, UNKNOWN_INSTALL } from './sentry-values.ts';
import { readTags, toStoredEvent, toValues } from './stored-event.ts';

const mechanisms = (event: Fields): Fields[] =>
  toValues(event.exception).map((exception) => toFields(toFields(exception).mechanism));

const exceptionTypes = (event: Fields): string[] =>
  toValues(event.exception).map((exception) => toText(toFields(exception).type) ?? '');

/** Reports about an app that did not respond say nothing about whether they were handled. */
const hangMechanisms = /^(ANR|AppExitInfo|HistoricalAppExitInfo|AppHang)$/;
const hangTypes = /^(ApplicationNotResponding|MXHangDiagnostic)$/;

/** An app that did not respond: an ANR on Android, an app hang elsewhere. It is no crash, even if the system ended the app. */
export const isHang = (event: Fields): boolean =>
  mechanisms(event).some(({ type }) => hangMechanisms.test(toText(type) ?? '')) ||
  exceptionTypes(event).some((type) => hangTypes.test(type));

/** Unity and .NET log these as unhandled, and the app continues. */
const survived = /^(Unity\.LogException|unity\.log|UnobservedTaskException)$/;

/** A crash has an exception that the app did not handle, or is described by a minidump only. */
export function isCrash(event: Fields, hasMinidump: boolean): boolean {
  if (isHang(event)) return false;
  const all = mechanisms(event);
  const unhandled = all.filter(({ handled }) => handled === false);
  if (unhandled.length > 0) return !unhandled.every(({ type }) => survived.test(toText(type) ?? ''));
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

/** The name of the user that data requests find: the ID, or else the email address or name. */
export function findEventUser({ user }: Fields, installId: string): string | undefined {
  const { id, email, username } = toFields(user);
  const names = [toText(id), toText(email), toText(username)].filter((text) => text !== undefined);
  // SDKs send the ID of the install unless the app sets a user.
  return names.find((name) => toHexId(name) === undefined || toUuid(name) !== installId);
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
  const sentry = toStoredEvent(event, (sentAt) => toIsoTime(sentAt, { drift, now }));
  const described: [string, string | undefined][] = [
    ['environment', toText(event.environment, 64)],
    [
      'mechanism',
      mechanisms(event)
        .map(({ type }) => toText(type, 64))
        .find(Boolean),
    ],
  ];
  const userId = findEventUser(event, installId);
  const log = {
    type: isCrash(event, hasMinidump) ? 'managedError' : 'handledError',
    id: eventId,
    timestamp: toIsoTime(event.timestamp, { drift, now }),
    ...(sessionId === undefined ? {} : { sid: sessionId }),
    ...(userId === undefined ? {} : { userId }),
    ...(isHang(event) ? { isHang: true } : {}),
    properties: Object.fromEntries([...described.filter(([, value]) => value !== undefined), ...readTags(event.tags)]),
    device,
    sentry: hasMinidump ? { ...sentry, has_minidump: true } : sentry,
  };
  return { log, installId, device };
}
