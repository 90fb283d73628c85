import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { zipOf } from '../tools/zip.ts';
import type { Bench } from './harness.ts';

export const FRAMES = 100;

const versionOf = (n: number) => ({ appVersion: `1.${n % 10}.0`, appBuild: String(n % 10) });
const head = (type: string) => ({ type, id: randomUUID(), timestamp: new Date().toISOString(), fatal: true });
const android = (n: number) => ({
  sdkName: 'appcenter.android',
  sdkVersion: '5.0.6',
  model: `Model ${n % 40}`,
  oemName: 'Google',
  osName: 'Android',
  osVersion: String(10 + (n % 6)),
  locale: 'en_US',
  ...versionOf(n),
  appNamespace: 'org.example.shop',
});

/** One of so many problems of an app in Java, in one of ten versions. */
export function javaCrash(n: number, problems: number): object {
  const frame = (methodName: string, lineNumber: number) => ({
    className: `org.example.shop.Cart${n % problems}`,
    methodName,
    fileName: 'Cart.java',
    lineNumber,
  });
  return {
    ...head('managedError'),
    errorThreadId: 1,
    userId: `u-${n % 5000}`,
    exception: {
      type: 'java.lang.IllegalStateException',
      message: `cart ${n} is empty`,
      frames: Array.from({ length: 30 }, (_, at) => frame(`step${at}`, at + 1)),
    },
    threads: [{ id: 1, name: 'main', frames: [frame('run', 1)] }],
    device: android(n),
  };
}

/** So many are of one problem and one user, so that a page of theirs is full whether there are few reports or many. */
const OF_ONE = 150;
/** The user whose they are. */
export const BUSY_USER = 'u-17';

/** Each of a problem of its own, but for those of one. */
export const shopCrash = (n: number, problems: number): object => javaCrash(n < OF_ONE ? 17 : n, problems);

/** What a kind of report is, and the symbols that it waits for. */
export interface Kind {
  name: string;
  log(n: number): object;
  /** As uploads name them; for every version. */
  symbols?: { type: string; file_name: string; content: Buffer; hasVersion: boolean } | undefined;
}

function obfuscated(): Kind {
  const classes = Array.from({ length: 2_000 }, (_, at) => {
    const members = Array.from({ length: 30 }, (_, line) => `    ${line + 1}:${line + 1}:void step${line}():7:7 -> a`);
    return [`org.example.shop.Cart${at} -> a.a${at}:`, ...members, ''].join('\n');
  });
  const frame = (n: number, at: number) => ({
    className: `a.a${n % 100}`,
    methodName: 'a',
    fileName: 'SourceFile',
    lineNumber: at + 1,
  });
  return {
    name: 'Java, obfuscated, 30 frames',
    log: (n) => ({
      ...head('managedError'),
      errorThreadId: 1,
      exception: { type: 'a.b', message: 'empty', frames: Array.from({ length: 30 }, (_, at) => frame(n, at)) },
      device: android(n),
    }),
    symbols: {
      type: 'AndroidProguard',
      file_name: 'mapping.txt',
      content: Buffer.from(classes.join('')),
      hasVersion: true,
    },
  };
}

function script(): Kind {
  // A thousand lines of one bundle, each from a line of its own.
  const mappings = `AAAA${',GACA'.repeat(1_000)}`;
  const map = { version: 3, file: 'index.android.bundle', sources: ['src/cart.ts'], names: [], mappings };
  return {
    name: 'React Native, 20 frames',
    log: (n) => ({
      ...head('managedError'),
      exception: {
        type: 'TypeError',
        message: 'undefined is not a function',
        stackTrace: [
          'TypeError: undefined is not a function',
          ...Array.from(
            { length: 20 },
            (_, at) => `    at f${at} (index.android.bundle:1:${3 + ((n % 100) + at) * 3})`,
          ),
        ].join('\n'),
        wrapperSdkName: 'appcenter.react-native',
      },
      device: { ...android(n), wrapperSdkName: 'appcenter.react-native', wrapperSdkVersion: '5.0.2' },
    }),
    symbols: {
      type: 'JavaScript',
      file_name: 'index.android.bundle.map',
      content: Buffer.from(JSON.stringify(map)),
      hasVersion: true,
    },
  };
}

export interface Library {
  file: string;
  buildId: string;
  addresses: string[];
}

/** A library with debug information and a function for each frame. */
export function compileLibrary(bench: Bench, compiler: string): Library {
  const functions = Array.from(
    { length: FRAMES },
    (_, n) => `__attribute__((noinline)) int f${n}(int x) { return x + ${n}; }`,
  );
  const source = bench.at('naming.c');
  const file = bench.at('naming.so');
  writeFileSync(source, functions.join('\n'));
  const options = ['-g', '-O1', '-fPIC', '-shared', '-nostdlib', '-Wl,--build-id=sha1'];
  execFileSync(compiler, [...options, source, '-o', file]);
  const names = execFileSync('nm', [file], { encoding: 'utf8' });
  const notes = execFileSync('readelf', ['-n', file], { encoding: 'utf8' });
  return {
    file,
    buildId: /Build ID: ([0-9a-f]{40})/.exec(notes)?.[1] ?? '',
    addresses: [...names.matchAll(/^([0-9a-f]+) T f\d+$/gm)].map(([, address]) => `0x${address}`),
  };
}

/** As an iPhone reports it; its image is a library of ELF, as no compiler for Apple is asked for: the same program reads both. */
function apple({ file, buildId, addresses }: Library): Kind {
  const path = '/private/var/containers/Bundle/Application/A1/Shop.app/Shop';
  const base = 0x100000000;
  const hex = (value: number) => `0x${value.toString(16).padStart(16, '0')}`;
  return {
    name: `Apple, ${FRAMES} frames`,
    log: (n) => ({
      ...head('appleError'),
      primaryArchitectureId: 16_777_228,
      applicationPath: path,
      osExceptionType: 'SIGSEGV',
      osExceptionCode: 'SEGV_MAPERR',
      osExceptionAddress: '0x0',
      errorThreadId: 1,
      threads: [
        {
          id: 1,
          frames: addresses.map((_, at) => ({
            address: hex(base + Number(addresses[(at + n) % addresses.length]) + (at === 0 ? 0 : 1)),
          })),
        },
      ],
      binaries: [
        {
          id: buildId,
          name: 'Shop',
          path,
          startAddress: hex(base),
          endAddress: hex(base + 0xfffff),
          primaryArchitectureId: 16_777_228,
        },
      ],
      device: { ...android(n), sdkName: 'appcenter.ios', osName: 'iOS', osVersion: '18.1', oemName: 'Apple' },
    }),
    symbols: {
      type: 'Breakpad',
      file_name: 'symbols.zip',
      content: zipOf({ name: 'libshop.so', content: readFileSync(file) }),
      hasVersion: false,
    },
  };
}

const dotnet: Kind = {
  name: '.NET, as text',
  log: (n) => ({
    ...head('managedError'),
    exception: {
      type: 'System.InvalidOperationException',
      message: `cart ${n} is empty`,
      stackTrace: Array.from(
        { length: 20 },
        (_, at) => `  at Shop.Cart${n % 100}.Step${at} (System.Int32 id) [0x00000] in Cart.cs:${at + 1} `,
      ).join('\n'),
      wrapperSdkName: 'appcenter.xamarin',
    },
    device: { ...android(n), wrapperSdkName: 'appcenter.xamarin', wrapperSdkVersion: '5.0.6' },
  }),
};

const java: Kind = { name: 'Java, 30 frames', log: (n) => javaCrash(n, 100) };

export const kindsOf = (library: Library | undefined): Kind[] => [
  java,
  obfuscated(),
  script(),
  dotnet,
  ...(library ? [apple(library)] : []),
];
