import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Device, DeviceSource } from '../adapter.ts';

const run = promisify(execFile);
const KEY = 'apple-';

type Json = Record<string, unknown>;
const toObject = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
const toObjects = (value: unknown): Json[] => (Array.isArray(value) ? value.map(toObject) : []);
const toText = (value: unknown): string => (typeof value === 'string' ? value : '');

const toDevice = (udid: string, model: string, os: string): Omit<Device, 'frameworks'> => ({
  key: `${KEY}${udid}`.slice(0, 100),
  manufacturer: 'Apple',
  model: model.slice(0, 64) || 'unknown',
  platform: 'ios',
  os: os.slice(0, 32) || '0',
  form_factor: model.startsWith('iPad') ? 'tablet' : 'phone',
  is_emulated: false,
});

/** Reads running simulators from `xcrun simctl list devices booted --json`. */
export const readSimulators = (json: string): Omit<Device, 'frameworks'>[] =>
  Object.entries(toObject(toObject(JSON.parse(json)).devices)).flatMap(([runtime, devices]) => {
    const [, os] = /\.iOS-(\d[\d-]{0,20})$/.exec(runtime) ?? [];
    if (!os) return [];
    return toObjects(devices)
      .filter(({ state }) => state === 'Booted')
      .map(({ udid, name }) =>
        toDevice(toText(udid), `${toText(name).slice(0, 50)} (simulator)`, os.replaceAll('-', '.')),
      );
  });

/** Reads connected devices from `xcrun devicectl list devices --json-output`. */
export const readConnected = (json: string): Omit<Device, 'frameworks'>[] =>
  toObjects(toObject(toObject(JSON.parse(json)).result).devices)
    .filter((one) => ['iPhone', 'iPad'].includes(toText(toObject(one.hardwareProperties).deviceType)))
    .filter((one) => toObject(one.connectionProperties).tunnelState !== 'unavailable')
    .map(({ hardwareProperties, deviceProperties }) => {
      const { udid, marketingName } = toObject(hardwareProperties);
      return toDevice(toText(udid), toText(marketingName), toText(toObject(deviceProperties).osVersionNumber));
    });

export const isSimulator = ({ model }: { model: string }): boolean => model.endsWith('(simulator)');

export const getUdid = (key: string): string => key.slice(KEY.length);

/** iPhones and iPads connected to a Mac, and its simulators. */
export const apple: DeviceSource = {
  name: 'apple',
  listMissing: (find) => (find('xcrun') ? [] : ['no Xcode: iPhones and simulators require a Mac with Xcode']),
  async probe(find) {
    const xcrun = find('xcrun');
    if (!xcrun) return [];
    const runXcrun = async (...args: string[]) =>
      (await run(xcrun, args, { timeout: 30_000, maxBuffer: 16_777_216 })).stdout;
    const [simulators, connected] = await Promise.allSettled([
      runXcrun('simctl', 'list', 'devices', 'booted', '--json').then(readSimulators),
      runXcrun('devicectl', 'list', 'devices', '--quiet', '--json-output', '/dev/stdout').then(readConnected),
    ]);
    return [simulators, connected].flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  },
  appium: {
    driver: 'appium-xcuitest-driver',
    listMissing: (find) => (find('xcrun') ? [] : ['no Xcode']),
    capabilities: (key, { app }) =>
      key.startsWith(KEY)
        ? {
            platformName: 'iOS',
            'appium:automationName': 'XCUITest',
            'appium:udid': getUdid(key),
            ...(app === undefined ? {} : { 'appium:app': app }),
          }
        : undefined,
  },
};
