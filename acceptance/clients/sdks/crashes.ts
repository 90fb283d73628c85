import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';

/** A crash or a handled error as an SDK sends it: field names, formats of IDs and times, and compression. */
export interface SdkCrash {
  sdk: string;
  log(): object;
  pack(logs: readonly object[]): { raw: Buffer; headers: Record<string, string> };
  /** The name of its group. */
  group: { exceptionType: string; exceptionMethod?: string };
}

const plain = { 'content-type': 'application/json' };

/** Android and Apple compress bodies of at least 1400 bytes. */
const compressing: SdkCrash['pack'] = (logs) => {
  const raw = Buffer.from(JSON.stringify({ logs }));
  if (raw.length < 1400) return { raw, headers: plain };
  return { raw: gzipSync(raw), headers: { ...plain, 'content-encoding': 'gzip' } };
};
const indented: SdkCrash['pack'] = (logs) => ({
  raw: Buffer.from(JSON.stringify({ logs }, undefined, 2)),
  headers: { 'content-type': 'application/json; charset=utf-8' },
});

const app = { appVersion: '1.4.0', appBuild: '140', appNamespace: 'org.example.compass', timeZoneOffset: 120 };
const android = {
  ...app,
  sdkName: 'appcenter.android',
  sdkVersion: '5.0.6',
  osName: 'Android',
  osVersion: '14',
  locale: 'en_US',
};
const apple = {
  ...app,
  sdkName: 'appcenter.ios',
  sdkVersion: '5.0.5',
  osName: 'iOS',
  osVersion: '17.4',
  locale: 'de_DE',
};
const windows = {
  ...app,
  sdkName: 'appcenter.wpf.net',
  sdkVersion: '5.0.3',
  osName: 'WINDOWS',
  osVersion: '10.0.22631',
  locale: 'en-US',
};

const crashed = (at: string) => ({ timestamp: at, appLaunchTimestamp: at, fatal: true, processId: 4711 });
const now = () => new Date().toISOString();

export const sdkCrashes: SdkCrash[] = [
  {
    sdk: 'Android',
    log: () => ({
      type: 'managedError',
      id: randomUUID(),
      ...crashed(now()),
      processName: 'org.example.compass',
      errorThreadId: 2,
      architecture: 'arm64-v8a',
      exception: {
        type: 'java.lang.RuntimeException',
        message: 'Unable to start activity',
        frames: [{ className: 'android.app.ActivityThread', methodName: 'main', fileName: 'ActivityThread.java' }],
        innerExceptions: [
          {
            type: 'java.lang.NullPointerException',
            frames: [
              { className: 'org.example.compass.Needle', methodName: 'turn', fileName: 'Needle.java', lineNumber: 7 },
            ],
          },
        ],
      },
      threads: Array.from({ length: 12 }, (_, id) => ({
        id,
        name: `worker-${id}`,
        frames: [{ className: 'java.lang.Object', methodName: 'wait', fileName: 'Object.java', lineNumber: -2 }],
      })),
      device: { ...android, model: 'Pixel 7', oemName: 'Google', osApiLevel: 34, carrierCountry: 'de' },
    }),
    pack: compressing,
    group: { exceptionType: 'java.lang.NullPointerException', exceptionMethod: 'turn' },
  },
  {
    sdk: 'Apple',
    log: () => ({
      type: 'appleError',
      id: randomUUID().toUpperCase(),
      ...crashed(now()),
      processName: 'Compass',
      errorThreadId: 0,
      primaryArchitectureId: 16777228,
      architectureVariantId: 0,
      applicationPath: '/private/var/containers/Bundle/Application/X/Compass.app/Compass',
      osExceptionType: 'SIGABRT',
      osExceptionCode: '#0',
      osExceptionAddress: '0x1d8a4c42c',
      exceptionType: 'NSRangeException',
      exceptionReason: 'index 3 beyond bounds',
      threads: [
        {
          id: 0,
          frames: [
            { address: '0x00000001d8a4c42c', code: '__pthread_kill + 8' },
            { address: '0x0000000104b5a0c4', code: '0x104b4c000 + 57540' },
          ],
        },
      ],
      binaries: [
        {
          id: '8b0d1a5b3c6e3f0c9a7d1e2f3a4b5c6d',
          startAddress: '0x0000000104b4c000',
          endAddress: '0x0000000104b7ffff',
          name: 'Compass',
          path: '/private/var/containers/Bundle/Application/X/Compass.app/Compass',
          primaryArchitectureId: 16777228,
          architectureVariantId: 0,
        },
      ],
      registers: { pc: '0x00000001d8a4c42c' },
      device: { ...apple, model: 'iPhone15,2', oemName: 'Apple' },
    }),
    pack: compressing,
    group: { exceptionType: 'NSRangeException' },
  },
  {
    sdk: '.NET on Windows',
    log: () => ({
      type: 'handledError',
      id: randomUUID(),
      timestamp: now().replace('Z', '4567Z'),
      properties: { screen: 'Map' },
      exception: {
        type: 'System.InvalidOperationException',
        message: 'no fix',
        stackTrace:
          '   at Compass.Gps.Locate(Int32 tries) in C:\\src\\Gps.cs:line 42\r\n   at Compass.Program.Main(String[] args)',
        innerExceptions: [],
      },
      device: { ...windows, model: 'Surface', oemName: 'Microsoft' },
    }),
    pack: indented,
    group: { exceptionType: 'System.InvalidOperationException', exceptionMethod: 'Locate' },
  },
  {
    sdk: 'React Native',
    log: () => ({
      type: 'handledError',
      id: randomUUID(),
      timestamp: now(),
      exception: {
        type: 'TypeError',
        message: 'undefined is not a function',
        stackTrace:
          'TypeError: undefined is not a function\n    at north (index.android.bundle:1:4242)\n    at apply (native)',
        wrapperSdkName: 'appcenter.react-native',
      },
      device: { ...android, wrapperSdkName: 'appcenter.react-native', liveUpdateReleaseLabel: 'v3' },
    }),
    pack: compressing,
    group: { exceptionType: 'TypeError', exceptionMethod: 'north' },
  },
  {
    sdk: 'Unity',
    log: () => ({
      type: 'managedError',
      id: randomUUID(),
      ...crashed(now()),
      processName: 'org.example.compass',
      exception: {
        type: 'NullReferenceException',
        message: 'Object reference not set to an instance of an object',
        stackTrace: 'Needle.Spin () (at Assets/Scripts/Needle.cs:31)\nUnityEngine.Events.UnityEvent.Invoke ()',
        wrapperSdkName: 'appcenter.unity',
      },
      device: { ...android, wrapperSdkName: 'appcenter.unity' },
    }),
    pack: compressing,
    group: { exceptionType: 'NullReferenceException', exceptionMethod: 'Spin' },
  },
];

/** As documented for custom crashes: numbers as strings, no session, no thread. */
export const customCrash = (at: string): object => ({
  type: 'managedError',
  timestamp: at,
  appLaunchTimestamp: at,
  processId: '123',
  id: randomUUID(),
  fatal: true,
  processName: 'com.example.compass',
  device: {
    appVersion: '1.0',
    appBuild: '1',
    sdkName: 'appcenter.custom',
    sdkVersion: '1.0.0',
    osName: 'Android',
    osVersion: '9.3',
    model: 'Nexus 5',
    locale: 'en_US',
  },
  userId: 'TestID',
  exception: {
    type: 'java.lang.IllegalStateException',
    frames: [{ className: 'com.example.compass.Rose', methodName: 'draw', fileName: 'Rose.java', lineNumber: 7 }],
  },
});
