import { expect, test } from 'vitest';
import { diagnose, findDevices } from './index.ts';

const none = () => undefined;

test('a machine without anything has no devices, and is told for each adapter what it lacks', async () => {
  expect(await findDevices(none)).toEqual([]);
  const lacks = diagnose(none);
  expect(lacks.map(({ what }) => what)).toEqual([
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
  expect(lacks.filter((one) => one.lacks.length === 0)).toEqual([]);
});

test('a browser is always called an emulated one, and runs only what a browser can', async () => {
  const devices = await findDevices((name) => (['chromium', 'bash'].includes(name) ? `/usr/bin/${name}` : undefined));
  expect(devices.length).toBeGreaterThan(2);
  for (const device of devices) {
    expect(device).toMatchObject({ is_emulated: true, frameworks: ['command'] });
    expect(device.model).toMatch(/ \(emulated browser\)$/);
  }
  expect(new Set(devices.map(({ key }) => key)).size).toBe(devices.length);
});
