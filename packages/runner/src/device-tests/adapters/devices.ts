import { type Device, DeviceBroken, type DeviceSource, type FindProgram } from './adapter.ts';
import { browser } from './browser/browser.ts';
import { android } from './espresso/android.ts';
import { apple } from './xcuitest/apple.ts';

export const deviceSources: readonly DeviceSource[] = [browser, android, apple];

export const findSource = (key: string): DeviceSource | undefined =>
  deviceSources.find(({ appium }) => appium.capabilities(key, { find: () => undefined }) !== undefined);

export const getSource = (key: string): DeviceSource => {
  const source = findSource(key);
  if (!source) throw new DeviceBroken(`Device ${key} isn't connected to this runner.`);
  return source;
};

/** Lists all devices of this machine. A source that fails doesn't affect the others. */
export async function probeDevices(
  find: FindProgram,
): Promise<{ source: DeviceSource; device: Omit<Device, 'frameworks'> }[]> {
  const lists = await Promise.all(
    deviceSources.map(async (source) => {
      const devices = await source.probe(find).catch(() => []);
      return devices.map((device) => ({ source, device }));
    }),
  );
  return lists.flat();
}
