/** A log of a device, in the terms of the tests. */
export interface PlainLog {
  type: string;
  at: number;
  install: string;
  sid?: string;
  id?: string;
  name?: string;
  properties?: Record<string, string>;
  version: string;
  build: string;
  country?: string;
  model: string;
  os: [name: string, version: string];
  locale: string;
  carrier?: string;
  oem?: string;
  screen?: string;
  api?: number;
  user?: string;
  /** Custom properties of the device. */
  custom?: { type: string; name: string; value?: string | number | boolean }[];
}

/** The log as JSON of an SDK. */
export const toWire = (log: PlainLog) => ({
  type: log.type,
  timestamp: new Date(log.at).toISOString(),
  ...(log.sid === undefined ? {} : { sid: log.sid }),
  ...(log.id === undefined ? {} : { id: log.id }),
  ...(log.name === undefined ? {} : { name: log.name }),
  ...(log.properties === undefined ? {} : { properties: log.properties }),
  ...(log.custom === undefined ? {} : { properties: log.custom }),
  ...(log.user === undefined ? {} : { userId: log.user }),
  device: {
    sdkName: 'appcenter.android',
    sdkVersion: '5.0.6',
    osName: log.os[0],
    osVersion: log.os[1],
    locale: log.locale,
    timeZoneOffset: 120,
    appVersion: log.version,
    appBuild: log.build,
    model: log.model,
    ...(log.country === undefined ? {} : { carrierCountry: log.country }),
    ...(log.carrier === undefined ? {} : { carrierName: log.carrier }),
    ...(log.oem === undefined ? {} : { oemName: log.oem }),
    ...(log.screen === undefined ? {} : { screenSize: log.screen }),
    ...(log.api === undefined ? {} : { osApiLevel: log.api }),
  },
});

export const toDay = ({ at }: PlainLog): number => Math.floor(at / 86_400_000);
export const isActive = ({ type }: PlainLog): boolean => ['startSession', 'sessionEnd', 'page', 'event'].includes(type);

/** The dimensions of a log. */
export const dimensionReaders = {
  version: (log: PlainLog) => log.version,
  build: (log: PlainLog) => log.build,
  country: (log: PlainLog) => log.country?.toUpperCase() ?? 'unknown',
  model: (log: PlainLog) => log.model,
  os: (log: PlainLog) => log.os.join(' '),
  language: (log: PlainLog) => log.locale.split('_').join('-'),
  carrier: (log: PlainLog) => log.carrier ?? 'unknown',
};
