import { randomUUID } from 'node:crypto';

const sdks = [
  { sdkName: 'appcenter.android', sdkVersion: '5.0.6', osName: 'Android', osVersion: '14', locale: 'en_US' },
  { sdkName: 'appcenter.ios', sdkVersion: '5.0.5', osName: 'iOS', osVersion: '17.4', locale: 'de_DE' },
] as const;

export const LOGS = 50;

/** What an SDK sends when its buffer is full: a session, and events of about 600 bytes, each with the whole device. */
export function batchAt(n: number, now: number): { installId: string; json: string } {
  const device = {
    ...sdks[n % sdks.length],
    model: `Model ${n % 40}`,
    oemName: 'Google',
    osBuild: 'UQ1A.240205',
    osApiLevel: 34,
    timeZoneOffset: 120,
    screenSize: '1080x2400',
    appVersion: `1.${n % 9}.0`,
    appBuild: String(n % 90),
    appNamespace: 'org.example.shop',
    carrierCountry: 'de',
  };
  const sid = randomUUID();
  const logs = Array.from({ length: LOGS }, (_, at) => ({
    type: at === 0 ? 'startSession' : 'event',
    timestamp: new Date(now - (LOGS - at) * 1000).toISOString(),
    sid,
    ...(at === 0
      ? {}
      : {
          id: randomUUID(),
          name: `event ${(n * 7 + at) % 60}`,
          typedProperties: [
            { type: 'string', name: 'plan', value: at % 3 ? 'free' : 'pro' },
            { type: 'long', name: 'items', value: at },
          ],
        }),
    device,
  }));
  return { installId: randomUUID(), json: JSON.stringify({ logs }) };
}
