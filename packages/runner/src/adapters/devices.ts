import { type Device, DeviceBroken, type DeviceSource, type FindProgram } from './adapter.ts';
import { browser } from './browser/browser.ts';
import { android } from './espresso/android.ts';
import { apple } from './xcuitest/apple.ts';

export const deviceSources: readonly DeviceSource[] = [browser, android, apple];

export const findSource = (key: string): DeviceSource | undefined =>
  deviceSources.find(({ appium }) => appium.capabilities(key, { find: () => undefined }) !== undefined);

export const sourceOf = (key: string): DeviceSource => {
  const found = findSource(key);
  if (!found) throw new DeviceBroken(`This runner has no device ${key}.`);
  return found;
};

/** Every device of this machine. One source that fails hides its own only. */
export async function probeDevices(
  find: FindProgram,
): Promise<{ source: DeviceSource; device: Omit<Device, 'frameworks'> }[]> {
  const found = await Promise.all(
    deviceSources.map(async (source) => {
      const devices = await source.probe(find).catch(() => []);
      return devices.map((device) => ({ source, device }));
    }),
  );
  return found.flat();
}
