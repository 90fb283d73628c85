import { expect, test } from 'vitest';
import { planBuild, type Work } from './index.ts';

const work = (toolsets: Work['toolsets'], more: Partial<Work> = {}): Work => ({
  app: { owner: 'ada', name: 'compass', os: 'Android', platform: 'Java' },
  build: { id: 7, branch: 'main', commit: 'a'.repeat(40), trigger: 'manual', isDebug: false },
  repository: { url: 'https://git.example.com/ada/compass.git', name: 'ada/compass' },
  isSigned: false,
  toolsets,
  variables: [],
  minutes: 60,
  ...more,
});
const sources = (...paths: string[]) => ({ has: (path: string) => paths.includes(path) });
const job = {
  sources: '/job/sources',
  keystore: '/job/keystore',
  certificate: '/job/certificate.p12',
  profile: '/job/profile.mobileprovision',
  keychain: '/job/job.keychain-db',
  keychainPassword: 'open',
};
const lines = (plan: ReturnType<typeof planBuild>) =>
  [...plan.restore, ...plan.build].map(({ command }) => command.join(' '));

test.each([
  ['package-lock.json', 'npm ci --no-audit --no-fund'],
  ['yarn.lock', 'yarn install --frozen-lockfile'],
  ['README.md', 'npm install --no-audit --no-fund'],
])('with %s restores packages by "%s"', (file, command) => {
  const plan = planBuild(
    work({ javascript: { packageJsonPath: 'app/package.json', runTests: true } }),
    sources(`app/${file}`),
    job,
  );
  expect(lines(plan)).toEqual([command, 'npm run build --if-present', 'npm test']);
  expect([plan.folder, plan.variables.APPCENTER_REACTNATIVE_PACKAGE]).toEqual(['app', 'app/package.json']);
});

test('builds an Android project with its Gradle wrapper, tests it and signs it', () => {
  const android = {
    gradleWrapperPath: 'android/gradlew',
    module: 'app',
    buildVariant: 'release',
    buildBundle: true,
    runLint: true,
  };
  const signed = { ...android, keystoreEncoded: 'QUJD', keystorePassword: 'hunter2', keyAlias: 'upload' };
  const plan = planBuild(work({ android: signed }, { isSigned: true }), sources(), job);
  expect(lines(plan).slice(0, 3)).toEqual([
    'bash ./gradlew --no-daemon --stacktrace :app:assembleRelease :app:bundleRelease',
    'bash ./gradlew --no-daemon --stacktrace :app:lintRelease',
    'bash ./gradlew --no-daemon --stacktrace :app:testReleaseUnitTest',
  ]);
  expect(plan.build.map(({ folder }) => folder)).toEqual(['android', 'android', 'android', '.']);
  const sign = plan.build.at(-1);
  expect(sign?.command.join(' ')).not.toContain('hunter2');
  expect(sign?.env).toMatchObject({ KEYSTORE: '/job/keystore', KEYSTORE_PASSWORD: 'hunter2', KEY_PASSWORD: 'hunter2' });
  expect(plan.artifacts[0]?.patterns).toContain('android/app/build/outputs/apk/**/*.apk');
});

test('passes the build number to the tool without changing sources', () => {
  const numbered = (toolsets: Work['toolsets']) =>
    lines(planBuild(work(toolsets, { ...app('Android'), buildNumber: '7' }), sources(), job)).join('\n');
  expect(numbered({ android: {} })).toContain('--stacktrace -Pandroid.injected.version.code=7 :app:assembleRelease');
  expect(numbered({ xcode: {} })).toContain('CODE_SIGNING_ALLOWED=NO CURRENT_PROJECT_VERSION=7');
  expect(numbered({ xamarin: {} })).toContain('-p:Configuration=Release -p:ApplicationVersion=7');
});

test('restores packages before the Android project that contains them', () => {
  const plan = planBuild(work({ javascript: {}, android: { runTests: false } }), sources(), job);
  expect(lines(plan)).toEqual([
    'npm install --no-audit --no-fund',
    'bash ./gradlew --no-daemon --stacktrace :app:assembleRelease',
  ]);
});

test('explains unsupported toolsets', () => {
  expect(() => planBuild(work({ bazel: {} } as Work['toolsets']), sources(), job)).toThrow(
    /Unsupported toolset: bazel/,
  );
  expect(() => planBuild(work({}), sources(), job)).toThrow(/Unsupported toolset: none/);
});

function app(os: string) {
  return { app: { owner: 'ada', name: 'compass', os, platform: 'Xamarin' } };
}
const key = { keystoreEncoded: 'QUJD', keystorePassword: 'hunter2', keyAlias: 'upload' };

test.each([
  [
    'Android with .NET, with a key',
    work(
      { xamarin: { slnPath: 'src/App.sln', args: '-p:A="b c" -v:m' }, android: key },
      { ...app('Android'), isSigned: true },
    ),
    [
      'dotnet restore src/App.sln',
      'dotnet build src/App.sln --no-restore -p:Configuration=Release -p:AndroidBuildApplicationPackage=true -p:AndroidKeyStore=true -p:AndroidSigningKeyStore=/job/keystore -p:AndroidSigningKeyAlias=upload -p:AndroidSigningStorePass=env:KEYSTORE_PASSWORD -p:AndroidSigningKeyPass=env:KEY_PASSWORD -p:A="b c" -v:m',
    ],
  ],
  [
    'a device of Apple with .NET',
    work({ xamarin: { sdkBundle: 'dotnet-9.0.100' } }, { ...app('iOS'), isSigned: true }),
    [
      'dotnet restore App.sln',
      'dotnet build App.sln --no-restore -p:Configuration=Release -p:RuntimeIdentifier=ios-arm64 -p:ArchiveOnBuild=true',
    ],
  ],
  [
    'a simulator with Mono',
    work({ xamarin: { monoVersion: '6.12', configuration: 'Debug' } }, app('iOS')),
    ['nuget restore App.sln -NonInteractive', 'msbuild App.sln -p:Configuration=Debug -p:Platform=iPhoneSimulator'],
  ],
  [
    'a device with Mono',
    work({ xamarin: { sdkBundle: 'mono-6.12' } }, { ...app('iOS'), isSigned: true }),
    [
      'nuget restore App.sln -NonInteractive',
      'msbuild App.sln -p:Configuration=Release -p:Platform=iPhone -p:BuildIpa=true',
    ],
  ],
])('builds a solution for %s', (_for, settings, expected) => {
  const plan = planBuild(settings, sources(), job);
  expect(lines(plan).map((line) => line.replace('-p:A=b c', '-p:A="b c"'))).toEqual(expected);
  expect(JSON.stringify(plan.build.map(({ command }) => command))).not.toContain('hunter2');
});

test('signs Windows packages if there is a certificate', () => {
  const uwp = { slnPath: 'win/App.sln', certificateEncoded: 'QUJD', certificatePassword: 'hunter2' };
  expect(lines(planBuild(work({ uwp }), sources(), job))).toEqual([
    'nuget restore win/App.sln -NonInteractive',
    'msbuild win/App.sln -p:Configuration=Release -p:AppxBundle=Always -p:AppxBundlePlatforms=x86|x64|ARM64 -p:UapAppxPackageBuildMode=SideloadOnly -p:AppxPackageDir=/job/sources/win/AppPackages/ -p:AppxPackageSigningEnabled=false',
  ]);
  const signed = planBuild(work({ uwp }, { isSigned: true }), sources(), job);
  expect(signed.build.at(-1)).toMatchObject({
    title: 'Sign',
    env: { CERTIFICATE: '/job/certificate.p12', CERTIFICATE_PASSWORD: 'hunter2' },
  });
  expect(signed.variables).toEqual({ APPCENTER_UWP_SOLUTION: 'win/App.sln', APPCENTER_UWP_CONFIGURATION: 'Release' });
});

test('builds for the simulator without a certificate, with the requested Xcode if it is installed', () => {
  const xcode = { projectOrWorkspacePath: 'ios/Compass.xcodeproj', cartfilePath: 'ios/Cartfile', xcodeVersion: '15.4' };
  const here = { ...sources(), xcodes: [{ version: '15.4', folder: '/Applications/Xcode_15.4.app' }] };
  const plan = planBuild(work({ xcode, javascript: {} }, { isSigned: true }), here, job);
  expect(lines(plan).slice(0, 4)).toEqual([
    'npm install --no-audit --no-fund',
    'carthage bootstrap --use-xcframeworks',
    'xcodebuild -version',
    'xcodebuild -project ios/Compass.xcodeproj -scheme Compass -configuration Release -sdk iphonesimulator build CONFIGURATION_BUILD_DIR=mooring-build/products CODE_SIGNING_ALLOWED=NO',
  ]);
  const DEVELOPER_DIR = '/Applications/Xcode_15.4.app/Contents/Developer';
  expect(plan.build.map(({ env }) => env)).toEqual(plan.build.map(() => ({ DEVELOPER_DIR })));
  const other = planBuild(work({ xcode: { ...xcode, xcodeVersion: '9.9' } }), here, job);
  expect(other.build.map(({ env }) => env)).toEqual(other.build.map(() => ({})));
});
