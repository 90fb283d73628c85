import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIpa, createMsix } from '../../../tools/samples/packages.ts';
import { createZip } from '../../../tools/samples/zips.ts';
import { createToken, send } from '../../harness/http.ts';
import { type RunningServer, startServer } from '../../harness/server.ts';
import { clientAt } from '../appcenter-cli/client.ts';
import { readable } from '../appcenter-cli/patterns.ts';

const modules = path.join(import.meta.dirname, 'node_modules');
const published = (file: string): Buffer => readFileSync(path.join(modules, file));

/** A real macOS app, packed like Xcode does. */
function macApp(): Buffer {
  const cwd = path.join(modules, 'node-notifier/vendor/mac.noindex');
  const files = globSync('terminal-notifier.app/**/*', { cwd, withFileTypes: true }).filter((file) => file.isFile());
  return createZip(
    files.map(({ parentPath, name }) => {
      const file = path.join(parentPath, name);
      return { path: path.relative(cwd, file), content: readFileSync(file), mode: 0o100755 };
    }),
  );
}

interface Sent {
  os: string;
  file: string;
  bytes: () => Buffer;
  options?: string;
  /** Version and build, as the client prints them. */
  release: string;
  details: object;
}

const packages: Sent[] = [
  {
    os: 'Android',
    file: 'settings.apk',
    bytes: () => published('io.appium.settings/apks/settings_apk-debug.apk'),
    release: '8.0.10 (192)',
    details: {
      bundle_identifier: 'io.appium.settings',
      android_min_api_level: '26',
      app_icon_url: expect.any(String),
      fileExtension: 'apk',
    },
  },
  {
    os: 'Android',
    file: 'demos.apk',
    bytes: () => published('android-apidemos/apks/ApiDemos-debug.apk'),
    release: '5.0.0 (25)',
    details: { bundle_identifier: 'io.appium.android.apis', android_min_api_level: '17' },
  },
  {
    // Several chunks, sent concurrently by the client, the last one first.
    os: 'Android',
    file: 'server.apk',
    bytes: () => published('appium-uiautomator2-server/apks/appium-uiautomator2-server-v10.6.6.apk'),
    release: '10.6.6 (278)',
    details: { bundle_identifier: 'io.appium.uiautomator2.server' },
  },
  {
    os: 'Android',
    file: 'test.apk',
    bytes: () => published('appium-uiautomator2-server/apks/appium-uiautomator2-server-debug-androidTest.apk'),
    options: '--build-version 3.2 --build-number 7',
    release: '3.2 (7)',
    details: { bundle_identifier: 'io.appium.uiautomator2.server.test' },
  },
  {
    os: 'macOS',
    file: 'notifier.app.zip',
    bytes: macApp,
    // The client requires a version for every .zip; the server uses the one inside the app.
    options: '--build-version 9.9',
    release: '1.7.2 (17)',
    details: { bundle_identifier: 'nl.superalloy.oss.terminal-notifier' },
  },
  {
    os: 'iOS',
    file: 'tides.ipa',
    bytes: () => createIpa({ icon: published('cgbi-to-png/test/cgbi-image.png') }),
    release: '1.2.3 (42)',
    details: { app_icon_url: expect.any(String), install_url: expect.stringMatching(/^itms-services:/) },
  },
  { os: 'Windows', file: 'harbour.msix', bytes: () => createMsix(), release: '2.1.0.0 (2.1.0.0)', details: {} },
  {
    os: 'Windows',
    file: 'harbour.zip',
    bytes: () => createZip([{ path: 'harbour.exe', content: 'MZ' }]),
    options: '--build-version 4.5',
    release: '4.5 (4.5)',
    details: {},
  },
];

let server: RunningServer;
let token: string;
let home: string;

beforeAll(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'mooring-packages-'));
  server = await startServer();
  token = (await createToken(server)).api_token;
});
afterAll(async () => {
  await server.stop();
  rmSync(home, { recursive: true, force: true });
});

const request = async (method: string, rest: string, body?: object) => {
  const answer = await send(method, `${server.httpUrl}/v0.1/apps${rest}`, { token, ...(body ? { body } : {}) });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json<Record<string, unknown>>();
};

test('the client uploads real packages for all systems, and the server shows their metadata', async () => {
  const appcenter = clientAt(server, home);
  await appcenter(`login --env local --token ${token} --disable-telemetry`);
  const platforms: Record<string, string> = { Android: 'Java', macOS: 'Objective-C-Swift', iOS: 'Objective-C-Swift' };
  const seen: unknown[] = [];
  for (const { os, file, bytes, options = '' } of packages) {
    const app = `ada/${file.replaceAll('.', '-')}`;
    await request('POST', '', { name: app.slice(4), display_name: file, os, platform: platforms[os] ?? 'Custom' });
    await request('POST', `/${app}/distribution_groups`, { name: 'Crew' });
    const content = bytes();
    writeFileSync(path.join(home, file), content);
    const line = `distribute release --app ${app} --file ${file} --group Crew ${options} --quiet --disable-telemetry`;
    const { exit, stdout, stderr } = await appcenter(line);
    expect(exit, `${file}: ${stdout}${stderr}`).toBe(0);
    const release = await request('GET', `/${app}/releases/1`);
    const { pathname } = new URL(String(release.download_url));
    const downloaded = await fetch(server.httpUrl + pathname);
    expect(Buffer.from(await downloaded.arrayBuffer()).equals(content), file).toBe(true);
    seen.push({ file, release: /Release (.+) was/.exec(readable(stdout))?.[1], details: release });
  }
  expect(seen).toEqual(
    packages.map(({ file, release, details }) => ({ file, release, details: expect.objectContaining(details) })),
  );
}, 240_000);
