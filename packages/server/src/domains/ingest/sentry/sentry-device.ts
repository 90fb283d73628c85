import { type Fields, parseRelease, toFields, toText } from './sentry-values.ts';

export interface Sdk {
  name: string;
  version: string;
}

/** The device of a log, in the form that App Center SDKs send, so that all pages and exports show it alike. */
export type LogDevice = Readonly<Record<string, string | number | boolean>>;

const readSdk = (value: unknown, fallback: Sdk): Sdk => {
  const { name, version } = toFields(value);
  return { name: toText(name, 100) ?? fallback.name, version: toText(version, 50) ?? fallback.version };
};

function readScreen({ screen_width_pixels: width, screen_height_pixels: height, screen_resolution }: Fields) {
  return width && height ? `${toText(width, 10)}x${toText(height, 10)}` : toText(screen_resolution, 30);
}

/** Converts the contexts of an event. */
export function readEventDevice(event: Fields, sdk: Sdk): LogDevice {
  const contexts = toFields(event.contexts);
  const [device, os, app, culture] = ['device', 'os', 'app', 'culture'].map((name) => toFields(contexts[name]));
  const { namespace, version, build } = parseRelease(event.release, event.dist);
  const { name, version: sdkVersion } = readSdk(event.sdk, sdk);
  const known = {
    sdkName: name || 'sentry',
    sdkVersion,
    model: toText(device?.model) ?? toText(device?.family),
    oemName: toText(device?.manufacturer) ?? toText(device?.brand),
    osName: toText(os?.name) ?? toText(os?.raw_description, 100),
    osVersion: toText(os?.version),
    osBuild: toText(os?.build),
    locale: toText(culture?.locale, 50) ?? toText(device?.locale, 50),
    screenSize: device && readScreen(device),
    appVersion: version || toText(app?.app_version),
    appBuild: build || toText(app?.app_build),
    appNamespace: namespace || toText(app?.app_identifier),
    jailbreak: os?.rooted === true || undefined,
  };
  return Object.fromEntries(
    Object.entries(known).filter((entry): entry is [string, string | true] => Boolean(entry[1])),
  );
}

/** Sessions name the release only; a session of an event's envelope is on the event's device. */
export function readSessionDevice(attributes: Fields, sdk: Sdk, ofEvent: LogDevice | undefined): LogDevice {
  const { namespace, version, build } = parseRelease(attributes.release, undefined);
  const known = {
    sdkName: sdk.name || 'sentry',
    sdkVersion: sdk.version,
    appVersion: version,
    appBuild: build,
    appNamespace: namespace,
  };
  return { ...ofEvent, ...Object.fromEntries(Object.entries(known).filter(([, value]) => value !== '')) };
}

/** Logs have a few attributes of the device. */
export function readLogDevice(attributes: Fields, sdk: Sdk): LogDevice {
  const { namespace, version, build } = parseRelease(attributes['sentry.release'], undefined);
  const known = {
    sdkName: toText(attributes['sentry.sdk.name'], 100) ?? (sdk.name || 'sentry'),
    sdkVersion: toText(attributes['sentry.sdk.version'], 50) ?? sdk.version,
    model: toText(attributes['device.model']) ?? toText(attributes['device.family']),
    oemName: toText(attributes['device.manufacturer']) ?? toText(attributes['device.brand']),
    osName: toText(attributes['os.name']),
    osVersion: toText(attributes['os.version']),
    appVersion: version,
    appBuild: build,
    appNamespace: namespace,
  };
  return Object.fromEntries(Object.entries(known).filter((entry): entry is [string, string] => Boolean(entry[1])));
}
