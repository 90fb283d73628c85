import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Device, DeviceSource } from '../adapter.ts';

const run = promisify(execFile);
const KEY = 'apple-';

type Json = Record<string, unknown>;
const objectOf = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.map(objectOf) : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const deviceOf = (udid: string, model: string, os: string): Omit<Device, 'frameworks'> => ({
  key: `${KEY}${udid}`.slice(0, 100),
  manufacturer: 'Apple',
  model: model.slice(0, 64) || 'unknown',
  platform: 'ios',
  os: os.slice(0, 32) || '0',
  form_factor: model.startsWith('iPad') ? 'tablet' : 'phone',
  is_emulated: false,
});

/** Simulators that run, of `xcrun simctl list devices booted --json`. */
export const readSimulators = (json: string): Omit<Device, 'frameworks'>[] =>
  Object.entries(objectOf(objectOf(JSON.parse(json)).devices)).flatMap(([runtime, devices]) => {
    const [, os] = /\.iOS-(\d[\d-]{0,20})$/.exec(runtime) ?? [];
    if (!os) return [];
    return listOf(devices)
      .filter(({ state }) => state === 'Booted')
      .map(({ udid, name }) =>
        deviceOf(textOf(udid), `${textOf(name).slice(0, 50)} (simulator)`, os.replaceAll('-', '.')),
      );
  });

/** Devices that are connected, of `xcrun devicectl list devices --json-output`. */
export const readConnected = (json: string): Omit<Device, 'frameworks'>[] =>
  listOf(objectOf(objectOf(JSON.parse(json)).result).devices)
    .filter((one) => ['iPhone', 'iPad'].includes(textOf(objectOf(one.hardwareProperties).deviceType)))
    .filter((one) => objectOf(one.connectionProperties).tunnelState !== 'unavailable')
    .map(({ hardwareProperties, deviceProperties }) => {
      const { udid, marketingName } = objectOf(hardwareProperties);
      return deviceOf(textOf(udid), textOf(marketingName), textOf(objectOf(deviceProperties).osVersionNumber));
    });

export const isSimulator = ({ model }: { model: string }): boolean => model.endsWith('(simulator)');

export const udidOf = (key: string): string => key.slice(KEY.length);

/** iPhones and iPads at a Mac, and its simulators. */
export const apple: DeviceSource = {
  name: 'apple',
  lacks: (find) => (find('xcrun') ? [] : ['no Xcode: iPhones and simulators need a Mac with it']),
  async probe(find) {
    const xcrun = find('xcrun');
    if (!xcrun) return [];
    const ask = async (...args: string[]) =>
      (await run(xcrun, args, { timeout: 30_000, maxBuffer: 16_777_216 })).stdout;
    const [simulators, connected] = await Promise.allSettled([
      ask('simctl', 'list', 'devices', 'booted', '--json').then(readSimulators),
      ask('devicectl', 'list', 'devices', '--quiet', '--json-output', '/dev/stdout').then(readConnected),
    ]);
    return [simulators, connected].flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  },
  appium: {
    driver: 'appium-xcuitest-driver',
    lacks: (find) => (find('xcrun') ? [] : ['no Xcode']),
    capabilities: (key, { app }) =>
      key.startsWith(KEY)
        ? {
            platformName: 'iOS',
            'appium:automationName': 'XCUITest',
            'appium:udid': udidOf(key),
            ...(app === undefined ? {} : { 'appium:app': app }),
          }
        : undefined,
  },
};
