import { type DeviceBatch, type Journey, login } from '../command.ts';

const common = { sdkName: 'appcenter.android', sdkVersion: '5.0.6', timeZoneOffset: 120 };
const pixel = {
  ...common,
  model: 'Pixel 7',
  osName: 'Android',
  osVersion: '14',
  locale: 'en_US',
  appVersion: '1.4.0',
  appBuild: '140',
  carrierCountry: 'de',
};
const iphone = {
  ...common,
  model: 'iPhone 15',
  osName: 'iOS',
  osVersion: '18.1',
  locale: 'de_DE',
  appVersion: '1.5.0',
  appBuild: '150',
  carrierCountry: 'us',
};
const sid = (n: number) => `5b7c1f0e-3a53-4d0c-9a61-0b4e9a0f2d0${n}`;
const id = (n: number) => `0d1f7c1e-3a53-4d0c-9a61-0b4e9a0f2d0${n}`;
const install = (n: number) => `9c7b1f0e-3a53-4d0c-9a61-0b4e9a0f2d0${n}`;
const plan = (value: string) => ({ typedProperties: [{ type: 'string', name: 'plan', value }] });

const first: DeviceBatch = {
  install: install(1),
  logs: [
    { type: 'startSession', at: 0, sid: sid(1), device: pixel },
    { type: 'event', at: 20, sid: sid(1), id: id(1), name: 'checkout', ...plan('pro'), device: pixel },
    { type: 'event', at: 45, sid: sid(1), id: id(2), name: 'checkout', ...plan('free'), device: pixel },
  ],
};
const second: DeviceBatch = {
  install: install(2).toUpperCase(),
  logs: [
    { type: 'startSession', at: 60, sid: sid(2), device: iphone },
    { type: 'event', at: 65, sid: sid(2), id: id(3), name: 'checkout', ...plan('pro'), device: iphone },
    { type: 'event', at: 68, sid: sid(2), id: id(4), name: 'open map', device: iphone },
  ],
};
const third: DeviceBatch = {
  install: install(3),
  logs: [{ type: 'startSession', at: 90, sid: sid(3), device: pixel }],
};

const range = '--start {yesterday}T00:00:00Z --end {yesterday}T23:00:00Z';

const eventsHead = 'Events\nName |Count|Count Change|Users|User Change|Per User|Per Session';

/** The first batch arrives twice, as after a lost response. */
export const analytics: Journey = {
  title: 'analytics',
  user: 'anouk',
  commands: [
    login,
    {
      line: 'apps create --display-name Shop --name shop --os Android --platform Java',
      prints: `App Secret: {secret=uuid}
Description:
Display Name: Shop
Name: shop
OS: Android
Platform: Java
Release Type:
Owner ID: {uuid}
Owner Display Name: anouk
Owner Email: anouk@example.com
Owner Name: anouk
Azure Subscription ID:`,
      thenSend: { app: 'anouk/shop', batches: [first, second, first, third] },
    },
    { line: `analytics app-versions --app anouk/shop ${range}`, prints: '1.4.0\n1.5.0' },
    {
      line: `analytics app-versions --devices --app anouk/shop ${range}`,
      prints: `Version | Number Of Devices
1.4.0 | 2
1.5.0 | 1`,
    },
    {
      line: `analytics audience --app anouk/shop ${range}`,
      prints: `Warning: Please provide app version to get active users statistics.
Devices
|Count|Change
Pixel 7 |2 |66.67%
iPhone 15|1 |33.33%
Countries
|Count|Change
DE|2 |66.67%
US|1 |33.33%
Languages
|Count|Change
en-US|2 |66.67%
de-DE|1 |33.33%`,
    },
    {
      line: `analytics audience --active-users --app-version 1.4.0 --app anouk/shop ${range}`,
      prints: `Active Users
Date |Monthly|Weekly|Daily
{any}|2 |2 |2`,
    },
    {
      line: `analytics audience --devices --output csv --app anouk/shop ${range}`,
      prints: `Devices,,
,Count,Change
Pixel 7,2,66.66666666666666
iPhone 15,1,33.33333333333333`,
    },
    {
      line: `analytics sessions --app anouk/shop ${range}`,
      // The preceding range, as this client requests it, includes the same day.
      prints: `Session Durations
|Count
0-10s |1
10-30s |0
30s-1min|1
1-30min |0
30min-1h|0
>1h |0
Session Statistics
|Count|Change
Total Sessions |3 |0%
Average Sessions Per Day |3 |100%
Average Session Length (sec)|26.5 |100%`,
    },
    {
      line: `analytics sessions --output json --app anouk/shop ${range}`,
      json: {
        statistics: {
          totalSessions: { count: 3 },
          averageSessionsPerDay: { count: 3 },
          averageSessionsLength: { seconds: 26.5 },
        },
      },
    },
    {
      line: `analytics events show --app anouk/shop ${range}`,
      prints: `${eventsHead}
checkout|3 |100% |2 |100% |1.5 |1.5
open map|1 |100% |1 |100% |1 |1`,
    },
    {
      line: `analytics events show --event-name "open map" --app anouk/shop ${range}`,
      prints: `${eventsHead}
open map|1 |100% |1 |100% |1 |1`,
    },
    {
      line: `analytics events show --properties --event-name checkout --app anouk/shop ${range}`,
      prints: `${eventsHead}
checkout|3 |100% |2 |100% |1.5 |1.5
plan
┌─────┬─────┬────────────┐
|Value|Count|Count Change
├─────┼─────┼────────────┤
|pro |2 |100%
├─────┼─────┼────────────┤
|free |1 |100%
└─────┴─────┴────────────┘`,
    },
    {
      line: 'analytics log-flow --app anouk/shop',
      prints: [first, second, first, third]
        .flatMap(({ install, logs }) =>
          logs.map(({ type, sid, name, typedProperties }) =>
            type === 'startSession'
              ? `{any}, ${install.toLowerCase()}, start_session, ${sid}`
              : `{any}, ${install.toLowerCase()}, event, ${name}${typedProperties ? ', plan: {any}' : ''}`,
          ),
        )
        .join('\n'),
    },
    {
      line: 'analytics events delete --event-name checkout --app anouk/shop',
      answers: 'y\n',
      prints: 'Successfully deleted checkout for this app',
    },
    {
      line: `analytics events show --app anouk/shop ${range}`,
      prints: `${eventsHead}
open map|1 |100% |1 |100% |1 |1`,
    },
  ],
};
