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
const job = { keystore: '/job/keystore' };
const lines = (plan: ReturnType<typeof planBuild>) =>
  [...plan.restore, ...plan.build].map(({ command }) => command.join(' '));

test.each([
  ['package-lock.json', 'npm ci --no-audit --no-fund'],
  ['yarn.lock', 'yarn install --frozen-lockfile'],
  ['README.md', 'npm install --no-audit --no-fund'],
])('with %s packages come by "%s"', (file, command) => {
  const plan = planBuild(
    work({ javascript: { packageJsonPath: 'app/package.json', runTests: true } }),
    sources(`app/${file}`),
    job,
  );
  expect(lines(plan)).toEqual([command, 'npm run build --if-present', 'npm test']);
  expect([plan.folder, plan.variables.APPCENTER_REACTNATIVE_PACKAGE]).toEqual(['app', 'app/package.json']);
});

test('an Android project is built by its own wrapper, tested and signed', () => {
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
  expect(plan.keep[0]?.patterns).toContain('android/app/build/outputs/apk/**/*.apk');
});

test('packages come before the Android project that is built around them', () => {
  const plan = planBuild(work({ javascript: {}, android: { runTests: false } }), sources(), job);
  expect(lines(plan)).toEqual([
    'npm install --no-audit --no-fund',
    'bash ./gradlew --no-daemon --stacktrace :app:assembleRelease',
  ]);
});

test('what cannot be built here is said in words', () => {
  expect(() => planBuild(work({ xcode: {} }), sources(), job)).toThrow(/the branch names xcode/);
});
