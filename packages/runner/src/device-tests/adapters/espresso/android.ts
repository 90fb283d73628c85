import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findProgram } from '../../../sandbox/sandbox.ts';
import { debian } from '../../../tools/install-hints.ts';
import type { Device, DeviceSource, TestJob } from '../adapter.ts';

const run = promisify(execFile);
const KEY = 'android-';

/** Reads the serial numbers of ready devices from `adb devices -l`. */
export const readDeviceList = (printed: string): string[] =>
  printed.split('\n').flatMap((line) => {
    const [serial = '', state] = line.trim().split(/\s+/, 2);
    return state === 'device' ? [serial] : [];
  });

/** Reads lines `[name]: [value]` from `getprop`. */
export const readProperties = (printed: string): Map<string, string> =>
  new Map(
    printed.split('\n').flatMap((line) => {
      const text = line.trim();
      const at = text.indexOf(']: [');
      return at > 0 && text.startsWith('[') && text.endsWith(']') ? [[text.slice(1, at), text.slice(at + 4, -1)]] : [];
    }),
  );

const readSize = (printed: string): Device['resolution'] => {
  const [, width, height] = /size: (\d{1,5})x(\d{1,5})/.exec(printed) ?? [];
  return width && height ? { width: Number(width), height: Number(height) } : undefined;
};

export function describeDevice(
  serial: string,
  properties: Map<string, string>,
  size: string,
): Omit<Device, 'frameworks'> {
  const value = (name: string, otherwise: string) => (properties.get(name) || otherwise).slice(0, 64);
  const isEmulator = serial.startsWith('emulator-') || properties.get('ro.kernel.qemu') === '1';
  const resolution = readSize(size);
  const model = value('ro.product.model', 'unknown');
  return {
    key: `${KEY}${serial}`.slice(0, 100),
    manufacturer: value('ro.product.manufacturer', 'unknown'),
    model: isEmulator ? `${model.slice(0, 50)} (emulator)` : model,
    platform: 'android',
    os: value('ro.build.version.release', '0').slice(0, 32),
    form_factor: (properties.get('ro.build.characteristics') ?? '').includes('tablet') ? 'tablet' : 'phone',
    is_emulated: false,
    ...(resolution ? { resolution } : {}),
  };
}

export const getSerial = (key: string): string => key.slice(KEY.length);

export const buildAdbCommand = ({ work }: TestJob, ...args: string[]): string[] => [
  findProgram('adb') ?? 'adb',
  '-s',
  getSerial(work.device.key),
  ...args,
];

/** Lists installed packages without preinstalled ones. */
export const listPackages = async (job: TestJob): Promise<string[]> =>
  (await job.runOnHost(buildAdbCommand(job, 'shell', 'pm', 'list', 'packages', '-3')))
    .split('\n')
    .map((line) => line.trim().slice('package:'.length))
    .filter((name) => name !== '');

/** Phones, tablets and emulators known to adb. */
export const android: DeviceSource = {
  name: 'android',
  listMissing: (find) => (find('adb') ? [] : [`no adb: install the Android platform tools${debian('adb')}`]),
  async probe(find) {
    const adb = find('adb');
    if (!adb) return [];
    const runAdb = async (...args: string[]) =>
      (await run(adb, args, { timeout: 20_000, maxBuffer: 4_194_304 })).stdout;
    const serials = readDeviceList(await runAdb('devices', '-l'));
    return Promise.all(
      serials.map(async (serial) => {
        const properties = readProperties(await runAdb('-s', serial, 'shell', 'getprop'));
        return describeDevice(serial, properties, await runAdb('-s', serial, 'shell', 'wm', 'size'));
      }),
    );
  },
  async watch(job, find) {
    // Without adb, suites can't install packages either.
    if (!find('adb')) return async () => undefined;
    const before = new Set(await listPackages(job));
    return async (cleaning) => {
      for (const name of (await listPackages(cleaning)).filter((one) => !before.has(one)))
        await cleaning.runOnHost(buildAdbCommand(cleaning, 'uninstall', name));
    };
  },
  appium: {
    driver: 'appium-uiautomator2-driver',
    listMissing: (find) => (find('adb') ? [] : ['no adb']),
    capabilities: (key, { app }) =>
      key.startsWith(KEY)
        ? {
            platformName: 'Android',
            'appium:automationName': 'UiAutomator2',
            'appium:udid': getSerial(key),
            ...(app === undefined ? {} : { 'appium:app': app }),
          }
        : undefined,
  },
};
