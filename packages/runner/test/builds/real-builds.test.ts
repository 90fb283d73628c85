import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startGitHost } from '../../../../tools/git-host.ts';
import { runBuild } from '../../src/build-job.ts';
import { canContain } from '../../src/sandbox-check.ts';
import type { Work } from '../../src/stages/index.ts';

/** A push of these files, built as a runner does it; what is kept lies in a folder. */
async function build(files: Record<string, string>, more: Partial<Work>) {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-real-builds-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const host = await startGitHost();
  onTestFinished(host.stop);
  const commit = host.push('main', files);
  const work: Work = {
    app: { owner: 'ada', name: 'compass', os: 'Android', platform: 'Java' },
    build: { id: 42, branch: 'main', commit, trigger: 'manual', isDebug: false },
    repository: { url: host.url, name: 'ada/compass' },
    isSigned: false,
    toolsets: {},
    variables: [],
    minutes: 10,
    ...more,
  };
  mkdirSync(path.join(folder, 'jobs'));
  let log = '';
  const kept = new Map<string, { kind: string; file: string }>();
  const outcome = await runBuild(work, {
    folder: path.join(folder, 'jobs'),
    sandbox: (await canContain()) ? 'bubblewrap' : 'host',
    signal: new AbortController().signal,
    write(text) {
      log += text;
    },
    async keep({ name, kind, file }) {
      copyFileSync(file, path.join(folder, name));
      kept.set(name, { kind, file: path.join(folder, name) });
    },
  });
  return { outcome, log, kept, folder };
}

const run = (program: string, ...args: string[]) => execFileSync(program, args, { encoding: 'utf8' });

const manifest = `<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="com.example.compass"
    android:versionCode="VERSION_CODE" android:versionName="1.4">
  <application android:hasCode="false" android:label="Compass" />
</manifest>
`;
const gradle = `task assembleRelease {
  doLast {
    def out = file('build/outputs/apk/release')
    out.mkdirs()
    def code = System.getenv('APPCENTER_BUILD_ID')
    file('build/AndroidManifest.xml').text = file('src/AndroidManifest.xml').text.replace('VERSION_CODE', code)
    exec {
      commandLine 'aapt', 'package', '-f', '-M', 'build/AndroidManifest.xml',
        '-I', '/usr/share/android-framework-res/framework-res.apk', '-F', "\${out}/app-release.apk"
    }
  }
}
task testReleaseUnitTest { doLast { println 'tests passed' } }
`;

test('a signed APK comes out of gradlew, with the number of the build as its versionCode', async () => {
  const keys = mkdtempSync(path.join(tmpdir(), 'mooring-keys-'));
  onTestFinished(() => rmSync(keys, { recursive: true, force: true }));
  const keystore = path.join(keys, 'upload.jks');
  run(
    ...([
      'keytool',
      '-genkeypair',
      '-keystore',
      keystore,
      '-storepass',
      'open sesame',
      '-keypass',
      'open sesame',
    ] as const),
    ...['-alias', 'upload', '-keyalg', 'RSA', '-dname', 'CN=Ada', '-validity', '10000'],
  );
  const { outcome, log, kept } = await build(
    {
      gradlew: '#!/bin/sh\nexec gradle --offline "$@"\n',
      'settings.gradle': "include 'app'\n",
      'app/build.gradle': gradle,
      'app/src/AndroidManifest.xml': manifest,
    },
    {
      isSigned: true,
      toolsets: {
        android: {
          keystoreEncoded: readFileSync(keystore).toString('base64'),
          keystorePassword: 'open sesame',
          keyAlias: 'upload',
        },
      },
    },
  );
  expect([outcome.reason, outcome.result], log).toEqual([undefined, 'succeeded']);
  const apk = kept.get('app-release.apk')?.file ?? '';
  expect(run('aapt', 'dump', 'badging', apk)).toContain(
    "name='com.example.compass' versionCode='42' versionName='1.4'",
  );
  expect(run('apksigner', 'verify', '--verbose', '--min-sdk-version', '24', apk)).toMatch(
    /Verifies[\s\S]*v2 scheme.*true/,
  );
  expect(log).toContain('tests passed');
});

test('a program in C comes out of CMake as a .deb, with its symbols and what its tests have shown', async () => {
  const yml = `toolsets:
  custom:
    commands:
      - cmake -S . -B build -DCMAKE_BUILD_TYPE=RelWithDebInfo
      - cmake --build build
      - ctest --test-dir build --output-junit "$APPCENTER_OUTPUT_DIRECTORY/junit.xml"
      - objcopy --only-keep-debug build/compass build/compass.debug && objcopy --strip-debug build/compass
      - cd build && cpack -G DEB
    artifacts: ["build/*.deb"]
    symbols: ["build/*.debug"]
`;
  const cmake = `cmake_minimum_required(VERSION 3.20)
project(compass C)
add_executable(compass main.c)
enable_testing()
add_test(NAME points-north COMMAND compass)
install(TARGETS compass DESTINATION bin)
set(CPACK_PACKAGE_VERSION "1.$ENV{APPCENTER_BUILD_ID}")
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "Ada <ada@example.com>")
include(CPack)
`;
  const { outcome, log, kept } = await build(
    { 'mooring.yml': yml, 'CMakeLists.txt': cmake, 'main.c': 'int main(void) { return 0; }\n' },
    {},
  );
  expect([outcome.reason, outcome.result], log).toEqual([undefined, 'succeeded']);
  const deb = [...kept].find(([name]) => name.endsWith('.deb'))?.[1];
  expect(run('dpkg-deb', '--field', deb?.file ?? '', 'Version').trim()).toBe('1.42');
  expect(kept.get('compass.debug')?.kind).toBe('symbols');
  expect(run('readelf', '--section-headers', kept.get('compass.debug')?.file ?? '')).toContain('.debug_info');
  expect(readFileSync(kept.get('junit.xml')?.file ?? '', 'utf8')).toContain('points-north');
});
