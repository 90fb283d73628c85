import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startGitHost } from '../../../../test-support/git-host.ts';
import { runBuild } from './build-job.ts';
import type { Work } from './stages/index.ts';
import { findXcodes } from './xcodes.ts';

/** Fake macOS tools, which record their calls and create the expected output. */
const tools = {
  security: 'if [ "$1" = cms ]; then echo plist; fi',
  pod: ':',
  xcodebuild: `case " $* " in
  *" archive "*) mkdir -p mooring-build/app.xcarchive/dSYMs/Compass.app.dSYM && echo lines > mooring-build/app.xcarchive/dSYMs/Compass.app.dSYM/x ;;
  *" -exportArchive "*) mkdir -p mooring-build/export && echo package > mooring-build/export/Compass.ipa && cp mooring-build/export.plist "$RECORDED.plist" ;;
esac`,
  zip: 'echo zipped > "$2"',
};
const plistBuddy = `case "$2" in
  "Print UUID") echo 1111-2222 ;;
  "Print ProvisionedDevices") echo devices ;;
  "Print Entitlements:application-identifier") echo TEAM123.com.example.compass ;;
  "Print TeamIdentifier:0") echo TEAM123 ;;
  "Print Name") echo "Compass Beta" ;;
  *) exit 1 ;;
esac`;

test('signs and exports an archive and uploads its symbols, with the commands that Xcode documents', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-xcode-'));
  const recorded = path.join(folder, 'recorded');
  const programs = path.join(folder, 'bin');
  const before = process.env.PATH;
  onTestFinished(() => {
    process.env.PATH = before;
    rmSync(folder, { recursive: true, force: true });
  });
  for (const name of [programs, path.join(folder, 'jobs')]) mkdirSync(name);
  const write = (name: string, script: string) =>
    writeFileSync(
      path.join(programs, name),
      `#!/bin/bash\nRECORDED=${recorded}\necho "${name} $*" >> ${recorded}\n${script}\n`,
      { mode: 0o755 },
    );
  for (const [name, script] of Object.entries(tools)) write(name, script);
  write('PlistBuddy', plistBuddy);
  process.env.PATH = `${programs}:${before}`;
  const host = await startGitHost();
  onTestFinished(host.stop);
  const commit = host.push('main', {
    'ios/Podfile': '',
    'ios/appcenter-post-build.sh': 'echo "$AGENT_JOBSTATUS $APPCENTER_XCODE_SCHEME"',
  });
  const work: Work = {
    app: { owner: 'ada', name: 'compass', os: 'iOS', platform: 'Objective-C-Swift' },
    build: { id: 7, branch: 'main', configuration: 'main', commit, trigger: 'manual', isDebug: false },
    repository: { url: host.url, name: 'ada/compass' },
    isSigned: true,
    toolsets: {
      xcode: {
        projectOrWorkspacePath: 'ios/Compass.xcworkspace',
        scheme: 'Compass',
        podfilePath: 'ios/Podfile',
        certificateEncoded: Buffer.from('a certificate').toString('base64'),
        certificatePassword: 'hunter2',
        provisioningProfileEncoded: Buffer.from('a profile').toString('base64'),
        teamId: 'TEAM123',
      },
    },
    variables: [],
    minutes: 5,
  };
  let log = '';
  const uploaded: string[] = [];
  const outcome = await runBuild(work, {
    folder: path.join(folder, 'jobs'),
    sandbox: 'host',
    hidden: [],
    signal: new AbortController().signal,
    write(text) {
      log += text;
    },
    async upload({ kind, name }) {
      uploaded.push(`${kind} ${name}`);
    },
  });
  expect([outcome.reason, outcome.result]).toEqual([undefined, 'succeeded']);
  expect(uploaded).toEqual(['build Compass.ipa', 'symbols Compass.app.dSYM.zip']);
  const calls = readFileSync(recorded, 'utf8')
    .replaceAll(new RegExp(`${folder}/jobs/[^/ ]+`, 'g'), '/job')
    .replaceAll(/[0-9a-f-]{36}/g, 'PASSWORD');
  expect(calls.trim().split('\n')).toEqual([
    'pod install',
    'xcodebuild -version',
    'security create-keychain -p PASSWORD /job/job.keychain-db',
    'security set-keychain-settings -lut 21600 /job/job.keychain-db',
    'security unlock-keychain -p PASSWORD /job/job.keychain-db',
    'security import /job/certificate.p12 -k /job/job.keychain-db -f pkcs12 -P hunter2 -T /usr/bin/codesign',
    'security set-key-partition-list -S apple-tool:,apple:,codesign: -s -k PASSWORD /job/job.keychain-db',
    'security cms -D -i /job/profile.mobileprovision',
    'PlistBuddy -c Print UUID /job/profile.mobileprovision.plist',
    'xcodebuild -workspace ios/Compass.xcworkspace -scheme Compass -configuration Release -destination generic/platform=iOS -archivePath mooring-build/app.xcarchive archive CODE_SIGN_STYLE=Manual OTHER_CODE_SIGN_FLAGS=--keychain /job/job.keychain-db DEVELOPMENT_TEAM=TEAM123',
    ...[
      'ProvisionedDevices',
      'ProvisionsAllDevices',
      'Entitlements:get-task-allow',
      'Entitlements:application-identifier',
      'TeamIdentifier:0',
      'Name',
    ].map((name) => `PlistBuddy -c Print ${name} /job/profile.mobileprovision.plist`),
    'xcodebuild -exportArchive -archivePath mooring-build/app.xcarchive -exportPath mooring-build/export -exportOptionsPlist /job/sources/mooring-build/export.plist OTHER_CODE_SIGN_FLAGS=--keychain /job/job.keychain-db',
    'zip -qry /job/sources/mooring-build/symbols/Compass.app.dSYM.zip Compass.app.dSYM',
  ]);
  expect(readFileSync(`${recorded}.plist`, 'utf8')).toMatch(
    /<string>ad-hoc<[\s\S]*<string>TEAM123<[\s\S]*<key>com.example.compass<\/key><string>Compass Beta</,
  );
  expect(log).toContain('Succeeded Compass');
  expect(readdirSync(path.join(folder, 'jobs'))).toEqual([]);
});

test('reads the version of every installed Xcode', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-xcodes-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const add = (name: string, version: string) => {
    mkdirSync(path.join(folder, name, 'Contents'), { recursive: true });
    const plist = `<plist><dict><key>CFBundleShortVersionString</key>\n<string>${version}</string></dict></plist>`;
    writeFileSync(path.join(folder, name, 'Contents/version.plist'), plist);
  };
  add('Xcode.app', '16.2');
  add('Xcode-beta.app', '15.4.1');
  add('Safari.app', '18.1');
  add('Xcode_old.app', 'unknown');
  expect((await findXcodes(folder)).toSorted((a, b) => (a.version < b.version ? -1 : 1))).toEqual([
    { version: '15.4.1', folder: path.join(folder, 'Xcode-beta.app') },
    { version: '16.2', folder: path.join(folder, 'Xcode.app') },
  ]);
  expect(await findXcodes(path.join(folder, 'none'))).toEqual([]);
});
