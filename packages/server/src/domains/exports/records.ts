import { hash } from 'node:crypto';
import { toIso } from '../../kernel/clock.ts';
import { parseJson } from '../../kernel/text/json.ts';
import type { FoundLog } from '../../telemetry/index.ts';
import type { ArchivedAttachment, ArchivedReport } from '../crashes/index.ts';
import type { Batch, Log, PastLog } from '../ingest/index.ts';

/** Kinds of records. Each has its own files; each attachment is a file. */
export type Entity = 'logs' | 'crashes' | 'errors';

/** All values are text, as readers of these files expect. */
export type ExportRecord = Readonly<Record<string, string>>;

type Fields = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const toObject = (value: unknown): Fields => (isObject(value) ? value : {});

/** Booleans are written as in .NET. */
const text = (value: unknown): string =>
  typeof value === 'boolean'
    ? value
      ? 'True'
      : 'False'
    : typeof value === 'string' || typeof value === 'number'
      ? String(value).toWellFormed()
      : '';

const messageTypes: Readonly<Record<string, string>> = {
  event: 'EventLog',
  page: 'PageLog',
  startSession: 'StartSessionLog',
  startService: 'StartServiceLog',
  distributionStartSession: 'DistributionStartSessionLog',
  customProperties: 'CustomPropertiesLog',
  pushInstallation: 'PushInstallationLog',
  managedError: 'ManagedErrorLog',
  appleError: 'AppleErrorLog',
  handledError: 'HandledErrorLog',
};
export const ATTACHMENT = 'errorAttachment';

/** Types of logs that are exported. */
export const exportedTypes: readonly string[] = [...Object.keys(messageTypes), ATTACHMENT];

const errorTypes: ReadonlySet<string> = new Set(['managedError', 'appleError', 'handledError']);

/** The kind of a log; attachments are separate files. */
export function getEntity({ type, value }: Log): Entity | 'attachments' {
  if (type === ATTACHMENT) return 'attachments';
  if (!errorTypes.has(type)) return 'logs';
  return type === 'handledError' || value.fatal === false ? 'errors' : 'crashes';
}

const toUuid = (of: string): string =>
  hash('sha256', of, 'hex')
    .slice(0, 32)
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

/** Minutes east of Greenwich, as a duration. */
const formatOffset = (value: unknown): string =>
  typeof value === 'number' && Number.isFinite(value) ? `${value < 0 ? '-' : ''}PT${Math.abs(value)}M` : '';

/** Properties as JSON text; typed ones take precedence. */
function formatProperties({ typedProperties, properties }: Fields): string {
  const list = [typedProperties, properties].find(Array.isArray);
  const entries: [unknown, unknown][] = list
    ? list.filter(isObject).map(({ name, value }) => [name, value])
    : Object.entries(toObject(properties));
  return JSON.stringify(Object.fromEntries(entries.map(([name, value]) => [text(name), text(value)])));
}

const isUuid = (value: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);

/** IDs from devices may have any form; file names need a UUID. */
export function getLogId({ value }: Log, installId: string): string {
  const sentId = text(value.id).toLowerCase();
  return isUuid(sentId) ? sentId : toUuid(`${installId} ${JSON.stringify(value)}`);
}

/** An exported log. Logs that a device sent twice have the same MessageId. */
export function toRecord(appId: string, batch: Batch, log: Log, stack = ''): ExportRecord {
  const { type, at, value } = log;
  const device = toObject(value.device);
  const isError = errorTypes.has(type);
  return {
    AppId: appId,
    Timestamp: toIso(at),
    InstallId: batch.installId,
    MessageType: messageTypes[type] ?? type,
    IngressTimestamp: toIso(batch.receivedAt),
    MessageId: toUuid(`${batch.installId} ${JSON.stringify(value)}`),
    EventId: isError ? getLogId(log, batch.installId) : text(value.id),
    EventName: text(value.name),
    CorrelationId: toUuid(`${appId} ${batch.number}`),
    IsTestMessage: 'False',
    SdkVersion: text(device.sdkVersion),
    SdkName: text(device.sdkName),
    Model: text(device.model),
    OemName: text(device.oemName),
    OsName: text(device.osName),
    OsVersion: text(device.osVersion),
    OsApiLevel: text(device.osApiLevel),
    OsBuild: text(device.osBuild),
    Locale: text(device.locale),
    TimeZoneOffset: formatOffset(device.timeZoneOffset),
    ScreenSize: text(device.screenSize),
    AppVersion: text(device.appVersion),
    AppBuild: text(device.appBuild),
    AppNamespace: text(device.appNamespace),
    CarrierName: text(device.carrierName),
    CarrierCountry: text(device.carrierCountry),
    CountryCode: text(device.carrierCountry).toUpperCase(),
    WrapperSdkVersion: text(device.wrapperSdkVersion),
    WrapperSdkName: text(device.wrapperSdkName),
    WrapperRuntimeVersion: text(device.wrapperRuntimeVersion),
    SessionId: text(value.sid),
    Properties: formatProperties(value),
    LiveUpdateDeploymentKey: text(device.liveUpdateDeploymentKey),
    LiveUpdatePackageHash: text(device.liveUpdatePackageHash),
    LiveUpdateReleaseLabel: text(device.liveUpdateReleaseLabel),
    UserId: text(value.userId),
    // Crashes and errors include the received log and the symbolicated stack.
    ...(isError
      ? {
          Fatal: text(value.fatal !== false && type !== 'handledError'),
          Stack: text(stack),
          Log: JSON.stringify(value),
        }
      : {}),
  };
}

/** An attachment of a crash or an error. */
export interface Attachment {
  id: string;
  contentType: string;
  bytes: Buffer;
  /** For destinations without files. */
  record(): ExportRecord;
}

const toContentType = (type: string): string =>
  /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(type) ? type : 'application/octet-stream';

/** If a cloned device repeats an ID, the second attachment gets another one. */
export function toAttachment(batch: Batch, log: Log, isTaken: (id: string) => boolean): Attachment {
  const { value } = log;
  const sentId = getLogId(log, batch.installId);
  const id = isTaken(sentId) ? toUuid(`${batch.number} ${batch.installId} ${JSON.stringify(value)}`) : sentId;
  return createAttachment(id, {
    ...{ installId: batch.installId, errorId: text(value.errorId), fileName: text(value.fileName) },
    ...{ contentType: text(value.contentType), bytes: Buffer.from(text(value.data), 'base64') },
    receivedAt: toIso(batch.receivedAt),
  });
}

interface AttachedFile
  extends Pick<ArchivedAttachment, 'installId' | 'errorId' | 'contentType' | 'fileName' | 'bytes'> {
  receivedAt: string;
}

function createAttachment(id: string, { installId, errorId, fileName, bytes, ...rest }: AttachedFile): Attachment {
  const contentType = toContentType(rest.contentType);
  return {
    id,
    contentType,
    bytes,
    record: () => ({
      AttachmentId: id,
      InstallId: installId,
      ErrorId: errorId,
      IngressTimestamp: rest.receivedAt,
      ContentType: contentType,
      FileName: fileName,
      Data: bytes.toString('base64'),
    }),
  };
}

/** A crash or error from before the export; nothing is missing. */
export function archivedReportToRecord(
  appId: string,
  report: ArchivedReport,
): { entity: Entity; record: ExportRecord } {
  const { type, at, log: value, batch, receivedAt, installId, stack } = report;
  const log = { type, at, value };
  const record = toRecord(appId, { number: batch ?? 0, receivedAt, installId, logs: [] }, log, stack);
  const entity = getEntity(log) === 'errors' ? 'errors' : 'crashes';
  return { entity, record: batch === undefined ? { ...record, CorrelationId: '' } : record };
}

/** An attachment from before the export; its time of arrival is unknown. */
export const archivedToAttachment = (one: ArchivedAttachment): Attachment =>
  createAttachment(isUuid(one.id) ? one.id : toUuid(`${one.installId} ${one.id}`), { ...one, receivedAt: '' });

const known = (value: string): string => (value === 'unknown' ? '' : value);

/** A log from before the export. Its time of arrival is unknown, and so is its ID; `id` sets one if needed. */
export function archivedLogToRecord(appId: string, log: FoundLog, id?: string): ExportRecord {
  const { version, build, country, model, os, language, carrier, oem, screen, api } = log.device;
  const [, osName = '', osVersion = ''] = /^(.*?)(?: ([^ ]*))?$/.exec(known(os)) ?? [];
  const value = {
    name: log.name,
    sid: log.session,
    userId: log.user,
    properties: log.properties,
    device: {
      appVersion: known(version),
      appBuild: known(build),
      carrierCountry: known(country),
      model: known(model),
      osName,
      osVersion,
      locale: known(language),
      carrierName: known(carrier),
      oemName: known(oem),
      screenSize: known(screen),
      osApiLevel: known(api),
    },
  };
  const batch = { number: 0, receivedAt: log.at, installId: log.install, logs: [] };
  const record = toRecord(appId, batch, { type: log.type, at: log.at, value });
  return { ...record, ...(id ? { EventId: toUuid(id) } : {}), IngressTimestamp: '', CorrelationId: '' };
}

const typesByName = new Map(Object.entries(messageTypes).map(([type, name]) => [name, type]));

function parsed(value: unknown): unknown {
  try {
    return parseJson(text(value));
  } catch {
    return undefined;
  }
}

/** Omits empty fields, as devices do. */
const filled = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '' && value !== undefined));

/** Minutes from a duration such as PT2H, -PT90M or PT2M. */
function parseOffsetMinutes(value: unknown): number | undefined {
  const [, sign, hours = '0', minutes = '0'] = /^(-?)PT(?:(\d+)H)?(?:(\d+)M)?/.exec(text(value)) ?? [];
  return sign === undefined ? undefined : (sign ? -1 : 1) * (60 * Number(hours) + Number(minutes));
}

const customTypes = /^(string|number|boolean|date_time|clear):(.*)$/s;

/** Stored custom properties have their type in front of the value. */
const toCustomProperties = (properties: Fields) =>
  Object.entries(properties).map(([name, value]) => {
    const [, type = 'string', rest = text(value)] = customTypes.exec(text(value)) ?? [];
    return { type, name, value: rest };
  });

const deviceKeys = {
  sdkVersion: 'SdkVersion',
  sdkName: 'SdkName',
  model: 'Model',
  oemName: 'OemName',
  osName: 'OsName',
  osVersion: 'OsVersion',
  osApiLevel: 'OsApiLevel',
  osBuild: 'OsBuild',
  locale: 'Locale',
  screenSize: 'ScreenSize',
  appVersion: 'AppVersion',
  appBuild: 'AppBuild',
  appNamespace: 'AppNamespace',
  carrierName: 'CarrierName',
  wrapperSdkVersion: 'WrapperSdkVersion',
  wrapperSdkName: 'WrapperSdkName',
  wrapperRuntimeVersion: 'WrapperRuntimeVersion',
  liveUpdateDeploymentKey: 'LiveUpdateDeploymentKey',
  liveUpdatePackageHash: 'LiveUpdatePackageHash',
  liveUpdateReleaseLabel: 'LiveUpdateReleaseLabel',
} as const;

const toDevice = (record: Fields) =>
  filled({
    ...Object.fromEntries(Object.entries(deviceKeys).map(([name, key]) => [name, text(record[key])])),
    timeZoneOffset: parseOffsetMinutes(record.TimeZoneOffset),
    carrierCountry: text(record.CarrierCountry) || text(record.CountryCode),
  });

/**
 * Restores the log of an exported record, as the inverse of `toRecord`. For crashes and errors, only a complete log is
 * accepted. Unknown records are passed on and fail validation.
 */
export function toPastLog(value: unknown): PastLog {
  const record = toObject(value);
  const installId = text(record.InstallId);
  const type = typesByName.get(text(record.MessageType));
  if (type === undefined || errorTypes.has(type)) {
    const log = parsed(record.Log);
    return { installId, log: isObject(log) ? log : value };
  }
  const properties = toObject(parsed(record.Properties));
  const log = filled({
    type,
    timestamp: text(record.Timestamp),
    ...(type === 'event' ? { id: text(record.EventId) } : {}),
    name: text(record.EventName),
    sid: text(record.SessionId),
    userId: text(record.UserId),
    properties:
      Object.keys(properties).length === 0
        ? undefined
        : type === 'customProperties'
          ? toCustomProperties(properties)
          : properties,
  });
  return { installId, log: { ...log, device: toDevice(record) } };
}
