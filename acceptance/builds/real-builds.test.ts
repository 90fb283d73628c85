import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { filesIn } from '../../tools/samples/zips.ts';
import { type Building, startBuilding } from '../clients/appcenter-cli/build-setup.ts';

let setup: Building;

const mayContain = () => spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true']).status === 0;
const run = (program: string, ...args: string[]) => execFileSync(program, args, { encoding: 'utf8' });

beforeAll(async () => {
  setup = await startBuilding(mayContain() ? 'bubblewrap' : 'host');
});
afterAll(() => setup.stop());

const manifest = `<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="com.example.compass"
    android:versionCode="VERSION_CODE" android:versionName="1.4.BUILD">
  <application android:hasCode="false" android:label="Compass" />
</manifest>
`;
/** Does the same as the Android plugin, with Debian's tools; gets the build number in the same way. */
const gradle = `task assembleRelease {
  doLast {
    def out = file('build/outputs/apk/release')
    out.mkdirs()
    file('build/AndroidManifest.xml').text = file('src/AndroidManifest.xml').text
      .replace('VERSION_CODE', project.property('android.injected.version.code'))
      .replace('BUILD', System.getenv('APPCENTER_BUILD_ID'))
    exec {
      commandLine 'aapt', 'package', '-f', '-M', 'build/AndroidManifest.xml',
        '-I', '/usr/share/android-framework-res/framework-res.apk', '-F', "\${out}/app-release.apk"
    }
  }
}
task testReleaseUnitTest { doLast { println 'tests passed' } }
`;

/** A new key, as `keytool` creates it. */
function makeKeystore(password: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-keys-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'upload.jks');
  run(
    'keytool',
    ...['-genkeypair', '-keystore', file, '-storepass', password, '-keypass', password],
    ...['-alias', 'upload', '-keyalg', 'RSA', '-dname', 'CN=Ada', '-validity', '10000'],
  );
  return readFileSync(file).toString('base64');
}

test('gradlew builds a signed APK with the build number, which is released and read again', async () => {
  const { callApi, host, home } = setup;
  const { id: group } = await callApi<{ id: string }>('POST', '/distribution_groups', { name: 'Beta' });
  host.push('android', {
    gradlew: '#!/bin/sh\nexec gradle --offline "$@"\n',
    'settings.gradle': "include 'app'\n",
    'app/build.gradle': gradle,
    'app/src/AndroidManifest.xml': manifest,
  });
  await callApi('POST', '/branches/android/config', {
    signed: true,
    artifactVersioning: { buildNumberFormat: 'buildId' },
    toolsets: {
      android: {
        keystoreEncoded: makeKeystore('open sesame of keys'),
        keystorePassword: 'open sesame of keys',
        keyAlias: 'upload',
      },
      distribution: { destinationType: 'groups', destinations: [group], isSilent: true },
    },
  });
  const { id, log } = await setup.buildByClient('android', { last: 'build: app-release.apk' });
  expect(log.filter((line) => line.startsWith('== '))).toEqual([
    ...['== Sources', '== Build', '== Tests', '== Sign', '== Files'],
  ]);
  expect(log).toContain('tests passed');
  const { file, content } = await setup.download(id, 'build');
  expect(run('aapt', 'dump', 'badging', file)).toContain(
    `name='com.example.compass' versionCode='${id}' versionName='1.4.${id}'`,
  );
  expect(run('apksigner', 'verify', '--verbose', '--min-sdk-version', '24', file)).toMatch(
    /Verifies[\s\S]*v2 scheme.*true/,
  );
  await vi.waitFor(async () => expect(await callApi('GET', '/distribution_groups/Beta/releases')).toHaveLength(1), {
    timeout: 60_000,
    interval: 200,
  });
  const release = await setup.run('distribute releases show --app ada/compass --release-id 1');
  expect(release).toMatch(new RegExp(`^Version: ${id}$`, 'm'));
  expect(release).toMatch(new RegExp(`^Short Version: 1\\.4\\.${id}$`, 'im'));
  expect(release).toContain('com.example.compass');
  await setup.run(`distribute groups download --app ada/compass --group Beta --dest ${home}`);
  expect(readFileSync(path.join(home, 'app-release.apk'))).toEqual(content);
});

test('CMake builds a C program as a .deb, with its symbols and test results', async () => {
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
  setup.host.push('cmake', { 'mooring.yml': yml, 'CMakeLists.txt': cmake, 'main.c': 'int main(void) { return 0; }\n' });
  await setup.callApi('POST', '/branches/cmake/config', {});
  const { id } = await setup.buildByClient('cmake', { last: 'symbols: compass.debug' });
  const symbols = filesIn((await setup.download(id, 'symbols')).content);
  const debug = path.join(setup.home, 'compass.debug');
  writeFileSync(debug, symbols.get('compass.debug') ?? '');
  expect(run('readelf', '--section-headers', debug)).toContain('.debug_info');
  // The client unpacks only packages of phones: it expects no other name in the zip of a build, and fails.
  const zip = path.join(setup.home, 'built.zip');
  await setup.mooring('builds', 'download', 'ada/compass', String(id), '--to', zip);
  const built = filesIn(readFileSync(zip));
  expect(String(built.get('junit.xml'))).toMatch(/<testcase name="points-north"[^>]*status="run"/);
  const deb = path.join(setup.home, 'compass.deb');
  writeFileSync(deb, [...built].find(([name]) => name.endsWith('.deb'))?.[1] ?? '');
  expect(run('dpkg-deb', '--field', deb, 'Version').trim()).toBe(`1.${id}`);
  expect(run('dpkg-deb', '--contents', deb)).toContain('/usr/bin/compass');
});
