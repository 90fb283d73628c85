import { expect, test } from 'vitest';
import { describeDevice, readDeviceList, readProperties } from './android.ts';
import { quoteForShell } from './espresso.ts';
import {
  createInstrumentationReader,
  type InstrumentationEvent,
  readInstrumentations,
  readMemory,
} from './instrumentation.ts';
import { readJunitEvent } from './junit-event.ts';

// The samples follow the documented formats of adb, am, pm, dumpsys and the label extension, as no phone is available.

const read = (printed: string): InstrumentationEvent[] => {
  const events: InstrumentationEvent[] = [];
  const reader = createInstrumentationReader((event) => events.push(event));
  for (const line of printed.split('\n')) reader(line);
  return events;
};
const status = (values: Record<string, string>, code: number) =>
  `${Object.entries({ numtests: '4', stream: '\n', ...values })
    .map(([name, value]) => `INSTRUMENTATION_STATUS: ${name}=${value}`)
    .join('\n')}\nINSTRUMENTATION_STATUS_CODE: ${code}\n`;
const suite = 'com.example.NotesTest';
const one = (name: string) => ({ class: suite, test: name });

test('reads tests with status, message and stack from "am instrument -r"', () => {
  const stack =
    'java.lang.AssertionError: expected:<2> but was:<1>\n\tat org.junit.Assert.fail(Assert.java:88)\n\tat INSTRUMENTATION';
  const printed = [
    status(one('keeps'), 1),
    status(one('keeps'), 0),
    status(one('finds'), 1),
    status({ ...one('finds'), stack }, -2),
    status(one('prints'), 1),
    status(one('prints'), -3),
    status(one('sends'), 1),
    status({ ...one('sends'), stack: 'assumed' }, -4),
    'INSTRUMENTATION_RESULT: stream=\n\nTime: 4.2\nINSTRUMENTATION_CODE: -1',
  ].join('');
  expect(read(printed)).toEqual([
    { type: 'started', suite, test: 'keeps' },
    { type: 'ended', suite, test: 'keeps', status: 'passed' },
    { type: 'started', suite, test: 'finds' },
    { type: 'ended', suite, test: 'finds', status: 'failed', message: stack.split('\n')[0], stack },
    { type: 'started', suite, test: 'prints' },
    { type: 'ended', suite, test: 'prints', status: 'skipped' },
    { type: 'started', suite, test: 'sends' },
    { type: 'ended', suite, test: 'sends', status: 'skipped', message: 'assumed', stack: 'assumed' },
    { type: 'done' },
  ]);
});

test('reports the reason if the app crashes or the suite fails to start', () => {
  const crashed = `${status(one('keeps'), 1)}INSTRUMENTATION_RESULT: shortMsg=Process crashed.\nINSTRUMENTATION_CODE: 0`;
  expect(read(crashed).at(-1)).toEqual({ type: 'done', problem: 'Process crashed.' });
  expect(read('INSTRUMENTATION_FAILED: com.example.test/androidx.test.Runner')).toEqual([
    { type: 'done', problem: 'Instrumentation failed: com.example.test/androidx.test.Runner' },
  ]);
  expect(read('INSTRUMENTATION_ABORTED: System has crashed.')).toEqual([
    { type: 'done', problem: 'System has crashed.' },
  ]);
});

test('parses unlimited output in linear time', () => {
  expect(read(`INSTRUMENTATION_STATUS: stack=\n${'at a\n'.repeat(500_000)}INSTRUMENTATION_STATUS_CODE: -2`)).toEqual(
    [],
  );
  expect(readInstrumentations(`instrumentation:${'a.'.repeat(200_000)}`)).toEqual([]);
  expect(readMemory(' '.repeat(500_000))).toBeUndefined();
});

test('describes ready devices by their properties', () => {
  const list =
    'List of devices attached\n8A1X0ABCD   device usb:1-1 model:Pixel_2_XL transport_id:1\nemulator-5554  offline\n0123\tunauthorized usb:1-2\n\n';
  expect(readDeviceList(list)).toEqual(['8A1X0ABCD']);
  const properties = readProperties(
    '[ro.product.manufacturer]: [Google]\r\n[ro.product.model]: [Pixel 2 XL]\r\n[ro.build.version.release]: [8.1.0]\r\n[broken\n',
  );
  expect(describeDevice('8A1X0ABCD', properties, 'Physical size: 1440x2880\n')).toEqual({
    key: 'android-8A1X0ABCD',
    manufacturer: 'Google',
    model: 'Pixel 2 XL',
    platform: 'android',
    os: '8.1.0',
    form_factor: 'phone',
    is_emulated: false,
    resolution: { width: 1440, height: 2880 },
  });
  expect(describeDevice('emulator-5554', properties, '').model).toBe('Pixel 2 XL (emulator)');
});

test('reads instrumentations and memory', () => {
  const printed = 'instrumentation:com.example.test/androidx.test.runner.AndroidJUnitRunner (target=com.example)\n';
  expect(readInstrumentations(printed)).toEqual([
    { component: 'com.example.test/androidx.test.runner.AndroidJUnitRunner', target: 'com.example' },
  ]);
  expect(readMemory('** MEMINFO **\n  Native Heap    10240\n        TOTAL    102400    90000\n')).toBe(100);
  expect(readMemory('           TOTAL PSS:    51200            TOTAL RSS:   90000')).toBe(50);
  expect(readMemory('No process found for: com.example')).toBeUndefined();
});

test('reads events of the label extension from JSON lines, and ignores other lines', () => {
  const line = JSON.stringify({
    id: 'jlab',
    type: 'label',
    testName: 'keeps',
    className: suite,
    timestamp: 1.5,
    label: 'Opened',
  });
  expect(readJunitEvent(line)).toEqual({ type: 'label', suite, test: 'keeps', label: 'Opened' });
  expect([readJunitEvent('{"type":"label"}'), readJunitEvent('null'), readJunitEvent('{')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('quotes any value for the shell of the device', () => {
  expect(quoteForShell(`it's $(reboot); "x"`)).toBe(`'it'\\''s $(reboot); "x"'`);
});
