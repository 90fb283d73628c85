import type { Random } from '../samples/random.ts';
import type { DemoApp } from './orgs.ts';

export type Weighted<T> = readonly (readonly [value: T, weight: number])[];

/** An event of an app, its relative frequency, and its properties. */
interface Happening {
  name: string;
  weight: number;
  properties?: Record<string, Weighted<string>>;
}

/** How people use an app, and who they are. */
export interface Usage {
  app: DemoApp['name'];
  /** The number of days with telemetry; at most the age of the app. */
  days: number;
  /** The number of new devices per day, at the start and at the end. */
  installs: [first: number, last: number];
  /** Some use it on their commute, others in their free time. */
  rhythm: 'workdays' | 'weekends';
  events: readonly Happening[];
  countries: Weighted<string>;
  platform: Platform;
}

interface Platform {
  sdkName: string;
  wrapper?: { wrapperSdkName: string; wrapperSdkVersion: string };
  osName: string;
  /** From old to new; each is sold from a fraction of the whole time on. */
  osVersions: readonly (readonly [version: string, from: number])[];
  models: Weighted<readonly [model: string, oem: string, screen: string]>;
}

const ios: Platform = {
  sdkName: 'appcenter.ios',
  osName: 'iOS',
  osVersions: [
    ['17.7', -9],
    ['18.4', -9],
    ['18.5', 0.05],
    ['18.6', 0.22],
    ['26.0', 0.33],
    ['26.1', 0.45],
    ['26.4', 0.7],
    ['26.6', 0.9],
  ],
  models: [
    [['iPhone14,5', 'Apple', '1170x2532'], 18],
    [['iPhone15,2', 'Apple', '1179x2556'], 17],
    [['iPhone16,1', 'Apple', '1179x2556'], 15],
    [['iPhone17,3', 'Apple', '1179x2556'], 13],
    [['iPhone12,1', 'Apple', '828x1792'], 11],
    [['iPhone17,1', 'Apple', '1206x2622'], 9],
    [['iPhone14,6', 'Apple', '750x1334'], 7],
    [['iPad13,18', 'Apple', '1640x2360'], 5],
    [['iPad14,1', 'Apple', '1488x2266'], 3],
  ],
};

const android: Platform = {
  sdkName: 'appcenter.android',
  osName: 'Android',
  osVersions: [
    ['13', -9],
    ['14', -9],
    ['15', 0.02],
    ['16', 0.3],
  ],
  models: [
    [['SM-S921B', 'samsung', '1080x2340'], 16],
    [['SM-A546B', 'samsung', '1080x2340'], 15],
    [['Pixel 8', 'Google', '1080x2400'], 13],
    [['Pixel 9', 'Google', '1080x2424'], 12],
    [['SM-A155F', 'samsung', '1080x2340'], 10],
    [['2312DRA50G', 'Xiaomi', '1220x2712'], 9],
    [['CPH2581', 'OnePlus', '1440x3168'], 6],
    [['moto g84 5G', 'motorola', '1080x2400'], 6],
    [['Pixel 7', 'Google', '1080x2400'], 6],
    [['XQ-DC54', 'Sony', '1080x2520'], 3],
    [['SM-X710', 'samsung', '1600x2560'], 3],
  ],
};

const reactNative = { wrapperSdkName: 'appcenter.react-native', wrapperSdkVersion: '5.0.3' };
const unity = { wrapperSdkName: 'appcenter.unity', wrapperSdkVersion: '5.0.6' };

/** The country of the carrier, and the languages of its users; without a SIM there is no country. */
export const languagesByCountry: Record<string, Weighted<string>> = {
  '': [
    ['en_GB', 5],
    ['de_DE', 3],
    ['da_DK', 2],
  ],
  DK: [
    ['da_DK', 8],
    ['en_GB', 2],
  ],
  SE: [
    ['sv_SE', 8],
    ['en_GB', 2],
  ],
  NO: [
    ['nb_NO', 8],
    ['en_GB', 2],
  ],
  DE: [
    ['de_DE', 9],
    ['en_US', 1],
    ['tr_TR', 1],
  ],
  NL: [
    ['nl_NL', 8],
    ['en_GB', 3],
  ],
  FI: [
    ['fi_FI', 8],
    ['sv_FI', 1],
  ],
  PL: [['pl_PL', 1]],
  GB: [['en_GB', 1]],
  US: [
    ['en_US', 8],
    ['es_US', 2],
  ],
  CA: [
    ['en_CA', 3],
    ['fr_CA', 1],
  ],
  JP: [['ja_JP', 1]],
  KR: [['ko_KR', 1]],
  BR: [['pt_BR', 1]],
  FR: [['fr_FR', 1]],
  ES: [['es_ES', 1]],
  IT: [['it_IT', 1]],
  MX: [['es_MX', 1]],
  IN: [
    ['en_IN', 3],
    ['hi_IN', 2],
  ],
  ID: [['id_ID', 1]],
  AU: [['en_AU', 1]],
  ZA: [['en_ZA', 1]],
};

const nordic: Weighted<string> = [
  ['DK', 31],
  ['SE', 19],
  ['NO', 14],
  ['DE', 15],
  ['GB', 6],
  ['NL', 4],
  ['FI', 3],
  ['PL', 2],
  ['', 6],
];

const everywhere: Weighted<string> = [
  ['US', 27],
  ['JP', 12],
  ['DE', 9],
  ['BR', 9],
  ['GB', 7],
  ['FR', 6],
  ['IN', 6],
  ['KR', 5],
  ['CA', 4],
  ['AU', 3],
  ['MX', 3],
  ['ES', 3],
  ['IT', 2],
  ['ID', 2],
  ['ZA', 1],
  ['', 5],
];

const routes: Weighted<string> = [
  ['Saltmarsh – Kelp Island', 40],
  ['Saltmarsh – North Quay', 28],
  ['Kelp Island – Gull Rock', 17],
  ['North Quay – Old Lighthouse', 10],
  ['Night boat', 5],
];

const ferryEvents: readonly Happening[] = [
  { name: 'Departure viewed', weight: 30, properties: { route: routes } },
  {
    name: 'Search',
    weight: 18,
    properties: {
      by: [
        ['route', 60],
        ['pier', 30],
        ['time', 10],
      ],
      results: [
        ['many', 70],
        ['one', 22],
        ['none', 8],
      ],
    },
  },
  { name: 'Weather opened', weight: 9 },
  { name: 'Favorite added', weight: 5, properties: { route: routes } },
  { name: 'Delay alert opened', weight: 8, properties: { route: routes } },
  {
    name: 'Ticket bought',
    weight: 7,
    properties: {
      kind: [
        ['single', 55],
        ['return', 30],
        ['month', 11],
        ['group', 4],
      ],
      payment: [
        ['card', 48],
        ['wallet', 40],
        ['invoice', 12],
      ],
      route: routes,
    },
  },
  { name: 'Ticket shown', weight: 9 },
  {
    name: 'Payment failed',
    weight: 0.7,
    properties: {
      reason: [
        ['declined', 62],
        ['cancelled', 27],
        ['timeout', 11],
      ],
    },
  },
  { name: 'Map opened', weight: 5 },
  {
    name: 'Shared',
    weight: 1.5,
    properties: {
      with: [
        ['message', 70],
        ['mail', 20],
        ['other', 10],
      ],
    },
  },
  {
    name: 'Signed in',
    weight: 2,
    properties: {
      method: [
        ['e-mail', 50],
        ['passkey', 38],
        ['organization', 12],
      ],
    },
  },
  {
    name: 'Feedback sent',
    weight: 0.5,
    properties: { stars: ['5', '4', '1', '3', '2'].map((s, n) => [s, 9 - 2 * n]) },
  },
];

const gameEvents: readonly Happening[] = [
  { name: 'Level started', weight: 30, properties: { level: levels(12) } },
  { name: 'Level finished', weight: 19, properties: { level: levels(12) } },
  { name: 'Lantern lost', weight: 14, properties: { level: levels(12) } },
  {
    name: 'Hint used',
    weight: 6,
    properties: {
      kind: [
        ['path', 60],
        ['light', 40],
      ],
    },
  },
  { name: 'Shop opened', weight: 5 },
  {
    name: 'Skin bought',
    weight: 0.8,
    properties: {
      skin: [
        ['copper', 40],
        ['moon', 30],
        ['coral', 20],
        ['glass', 10],
      ],
    },
  },
  { name: 'Settings opened', weight: 2 },
  { name: 'Sound turned off', weight: 1.5 },
  { name: 'Daily lantern lit', weight: 7 },
  { name: 'Friend invited', weight: 0.6 },
  { name: 'Save restored', weight: 0.4 },
  {
    name: 'Tutorial finished',
    weight: 1.2,
    properties: {
      skipped: [
        ['no', 8],
        ['yes', 2],
      ],
    },
  },
];

/** Fewer users reach each later level. */
function levels(count: number): Weighted<string> {
  return Array.from({ length: count }, (_, n) => [String(n + 1), Math.max(1, 30 / (n + 1.5))] as const);
}

export const usages: readonly Usage[] = [
  {
    app: 'timetable-ios',
    days: 548,
    installs: [2, 8],
    rhythm: 'workdays',
    events: ferryEvents,
    countries: nordic,
    platform: ios,
  },
  {
    app: 'tickets-android',
    days: 30,
    installs: [3, 6],
    rhythm: 'workdays',
    events: ferryEvents,
    countries: nordic,
    platform: { ...android, wrapper: reactNative },
  },
  {
    app: 'lanternfall-android',
    days: 30,
    installs: [6, 10],
    rhythm: 'weekends',
    events: gameEvents,
    countries: everywhere,
    platform: { ...android, wrapper: unity },
  },
];

export function pickWeighted<T>(chance: Random, items: Weighted<T>): T {
  let left = 0;
  for (const [, weight] of items) left += weight;
  left *= chance.next();
  for (const [value, weight] of items) {
    left -= weight;
    if (left < 0) return value;
  }
  const last = items.at(-1);
  if (!last) throw new RangeError('Cannot pick from an empty list.');
  return last[0];
}
