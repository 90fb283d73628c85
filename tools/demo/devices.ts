import { HOUR, MINUTE, SECOND } from '../../packages/server/src/kernel/clock.ts';
import { getDayStart, type LogBatch, toDay } from '../../packages/server/src/telemetry/index.ts';
import { createRandom, type Random } from '../samples/random.ts';
import { languagesByCountry, pickWeighted, type Usage, type Weighted } from './usage.ts';

/** How often a user opens the app, and how long they keep it. */
const habits = [
  { share: 0.35, keeps: 2, onWorkdays: 0.7, onWeekends: 0.8 },
  { share: 0.4, keeps: 70, onWorkdays: 0.09, onWeekends: 0.16 },
  { share: 0.25, keeps: 190, onWorkdays: 0.68, onWeekends: 0.24 },
] as const;

/** The distribution over the hours of a day: commute, noon, commute. */
const hours = [1, 1, 1, 1, 2, 6, 14, 22, 18, 9, 7, 8, 11, 9, 7, 9, 16, 22, 17, 12, 10, 8, 5, 3];
const byHour = hours.map((weight, hour) => [hour, weight] as const);

const hex = (chance: Random, digits: number): string =>
  chance
    .between(0, 16 ** digits - 1)
    .toString(16)
    .padStart(digits, '0');
const uuid = (chance: Random): string =>
  `${hex(chance, 8)}-${hex(chance, 4)}-4${hex(chance, 3)}-a${hex(chance, 3)}-${hex(chance, 6)}${hex(chance, 6)}`;

/** The time until a random event. */
const wait = (chance: Random, mean: number): number => -Math.log(1 - chance.next()) * mean;

const isWeekend = (day: number): boolean => [0, 6].includes(new Date(getDayStart(day)).getUTCDay());

/** A version every three weeks with patches in between, and a major version every half year. */
export function listVersions(usage: Usage, until: number): { version: string; build: string; day: number }[] {
  const releases = [];
  const last = toDay(until);
  const first = last - usage.days - 29;
  for (let n = 0, day = first; day <= last; n += 1, day += n % 3 === 0 ? 9 : 19) {
    const version = `${1 + Math.floor(n / 12)}.${Math.floor((n % 12) / 3)}.${n % 3}`;
    releases.push({ version, build: String(100 + n * 4), day });
  }
  return releases;
}

/** The logs of an app's devices until a time, device by device; deterministic for a seed. */
export function* generateLogs(usage: Usage, until: number, seed: number): Generator<LogBatch> {
  const chance = createRandom(seed);
  const last = toDay(until);
  const first = last - usage.days + 1;
  const releases = listVersions(usage, until);
  const events = usage.events.map((one) => [one, one.weight] as const);
  const [few, many] = usage.installs;
  for (let day = first; day <= last; day += 1) {
    const passed = (day - first) / usage.days;
    // People travel and play more in summer, and many start when the app is new.
    const season = 1 + 0.25 * Math.sin(((day % 365) / 365) * 2 * Math.PI - 1.9);
    const expected =
      (few + (many - few) * passed ** 1.3) * season * (isWeekend(day) ? 1.2 : 1) * (0.7 + 0.6 * chance.next());
    const launch = day === first ? 14 * many : 0;
    const count = Math.floor(expected + chance.next()) + launch;
    for (let n = 0; n < count; n += 1)
      yield oneDevice(chance, usage, { day, first, last, until, releases, events, isEarly: launch > 0 });
  }
}

interface Life {
  /** The time of the installation. */
  day: number;
  first: number;
  last: number;
  until: number;
  releases: ReturnType<typeof listVersions>;
  events: Weighted<Usage['events'][number]>;
  /** Installed before the recorded time, so its user is a regular one. */
  isEarly: boolean;
}

function oneDevice(chance: Random, { platform, ...usage }: Usage, life: Life): LogBatch {
  const habit = pickWeighted(
    chance,
    habits.slice(life.isEarly ? 1 : 0).map((one) => [one, one.share]),
  );
  const country = pickWeighted(chance, usage.countries);
  const locale = pickWeighted(chance, languagesByCountry[country] ?? [['en_US', 1]]);
  const [model, oemName, screenSize] = pickWeighted(chance, platform.models);
  const gone = life.day + Math.max(1, wait(chance, habit.keeps));
  const updatesAfter = chance.next() < 0.07 ? 1000 : wait(chance, 4);
  const osUpdatesAfter = wait(chance, 25);
  const [workdays, weekends] =
    usage.rhythm === 'workdays' ? [habit.onWorkdays, habit.onWeekends] : [habit.onWeekends, habit.onWorkdays];

  const logs: LogBatch['logs'][number][] = [];
  for (let day = life.day; day <= Math.min(life.last, gone); day += 1) {
    const season = 1 + 0.12 * Math.sin(((day % 365) / 365) * 2 * Math.PI - 1.9);
    if (day > life.day && chance.next() > (isWeekend(day) ? weekends : workdays) * season) continue;
    const release = life.releases.findLast((one) => one.day + updatesAfter <= day || one.day <= life.day);
    const passed = (day - osUpdatesAfter - life.first) / usage.days;
    const os = platform.osVersions.findLast(([, from]) => from <= passed);
    const device = {
      sdkName: platform.sdkName,
      sdkVersion: '5.0.6',
      ...platform.wrapper,
      model,
      oemName,
      screenSize,
      osName: platform.osName,
      osVersion: os?.[0],
      locale,
      timeZoneOffset: 60,
      appVersion: release?.version,
      appBuild: release?.build,
      ...(country ? { carrierCountry: country.toLowerCase() } : {}),
    };
    const sessions = 1 + Math.min(6, Math.floor(wait(chance, 0.75)));
    for (let n = 0; n < sessions; n += 1) addSession(day, device);
  }
  return { installId: uuid(chance), logs };

  function addSession(day: number, device: object): void {
    const start = Math.round(getDayStart(day) + pickWeighted(chance, byHour) * HOUR + chance.next() * HOUR);
    const sid = uuid(chance);
    const add = (at: number, log: object) => {
      if (at < life.until) logs.push({ at, value: { ...log, timestamp: new Date(at).toISOString(), sid, device } });
    };
    add(start, { type: 'startSession' });
    // Most sessions are short, some are long.
    const length = Math.min(HOUR * 2, 12 * SECOND + wait(chance, chance.next() < 0.2 ? 9 * MINUTE : 70 * SECOND));
    const count = Math.floor(wait(chance, 2.6));
    for (let at = 1; at <= count; at += 1) {
      const { name, properties = {} } = pickWeighted(chance, life.events);
      const typedProperties = Object.entries(properties).map(([key, values]) => ({
        type: 'string',
        name: key,
        value: pickWeighted(chance, values),
      }));
      add(Math.round(start + (length * at) / count), { type: 'event', id: uuid(chance), name, typedProperties });
    }
  }
}
