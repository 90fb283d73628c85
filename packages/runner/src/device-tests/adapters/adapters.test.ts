import { expect, test } from 'vitest';
import { diagnose, findDevices } from './index.ts';

const none = () => undefined;

test('finds no devices on an empty machine, and lists missing tools of each adapter', async () => {
  expect(await findDevices(none)).toEqual([]);
  const diagnosis = diagnose(none);
  expect(diagnosis.map(({ name }) => name)).toEqual([
    'devices: browser',
    'devices: android',
    'devices: apple',
    'tests: appium',
    'tests: command',
    'tests: espresso',
    'tests: xcuitest',
    'tests: uitest',
    'tests: calabash',
  ]);
  expect(diagnosis.filter((one) => one.missing.length === 0)).toEqual([]);
});

test('names emulated browsers as such, and offers only supported frameworks', async () => {
  const devices = await findDevices((name) => (['chromium', 'bash'].includes(name) ? `/usr/bin/${name}` : undefined));
  expect(devices.length).toBeGreaterThan(2);
  for (const device of devices) {
    expect(device).toMatchObject({ is_emulated: true, frameworks: ['command'] });
    expect(device.model).toMatch(/ \(emulated browser\)$/);
  }
  expect(new Set(devices.map(({ key }) => key)).size).toBe(devices.length);
});
