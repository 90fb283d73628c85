import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { debian } from '../../install-hints.ts';
import { findProgram } from '../../sandbox.ts';
import type { Device, DeviceSource, TestJob } from '../adapter.ts';

const run = promisify(execFile);
const KEY = 'android-';

/** Serial numbers of what `adb devices -l` lists as ready. */
export const readDeviceList = (printed: string): string[] =>
  printed.split('\n').flatMap((line) => {
    const [serial = '', state] = line.trim().split(/\s+/, 2);
    return state === 'device' ? [serial] : [];
  });

/** `[name]: [value]` for each line of `getprop`. */
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

export const serialOf = (key: string): string => key.slice(KEY.length);

export const adbOf = ({ work }: TestJob, ...args: string[]): string[] => [
  findProgram('adb') ?? 'adb',
  '-s',
  serialOf(work.device.key),
  ...args,
];

/** What was installed on it, beyond what it came with. */
export const listPackages = async (job: TestJob): Promise<string[]> =>
  (await job.ask(adbOf(job, 'shell', 'pm', 'list', 'packages', '-3')))
    .split('\n')
    .map((line) => line.trim().slice('package:'.length))
    .filter((name) => name !== '');

/** Phones, tablets and emulators that adb sees. */
export const android: DeviceSource = {
  name: 'android',
  lacks: (find) => (find('adb') ? [] : [`no adb: install the Android platform tools${debian('adb')}`]),
  async probe(find) {
    const adb = find('adb');
    if (!adb) return [];
    const ask = async (...args: string[]) => (await run(adb, args, { timeout: 20_000, maxBuffer: 4_194_304 })).stdout;
    const serials = readDeviceList(await ask('devices', '-l'));
    return Promise.all(
      serials.map(async (serial) => {
        const properties = readProperties(await ask('-s', serial, 'shell', 'getprop'));
        return describeDevice(serial, properties, await ask('-s', serial, 'shell', 'wm', 'size'));
      }),
    );
  },
  async watch(job, find) {
    // Whoever drives the phone by other means installs by other means, too.
    if (!find('adb')) return async () => undefined;
    const before = new Set(await listPackages(job));
    return async (cleaning) => {
      for (const name of (await listPackages(cleaning)).filter((one) => !before.has(one)))
        await cleaning.ask(adbOf(cleaning, 'uninstall', name));
    };
  },
  appium: {
    driver: 'appium-uiautomator2-driver',
    lacks: (find) => (find('adb') ? [] : ['no adb']),
    capabilities: (key, { app }) =>
      key.startsWith(KEY)
        ? {
            platformName: 'Android',
            'appium:automationName': 'UiAutomator2',
            'appium:udid': serialOf(key),
            ...(app === undefined ? {} : { 'appium:app': app }),
          }
        : undefined,
  },
};
