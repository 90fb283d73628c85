import path from 'node:path';
import type { JobFiles, Plan, Stage, Work } from './stage.ts';

const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** The key is a file of the job. Only this stage has its passwords in the environment. */
function signing({ isSigned, toolsets: { android = {} } }: Work, apks: string, keystore: string): Stage[] {
  if (!isSigned || !android.keystoreEncoded) return [];
  const alias = android.keyAlias ? ' --ks-key-alias "$KEY_ALIAS"' : '';
  const script = `shopt -s globstar nullglob
for apk in ${apks}/**/*.apk; do
  if command -v zipalign >/dev/null; then zipalign -f 4 "$apk" "$apk.aligned" && mv "$apk.aligned" "$apk"; fi
  apksigner sign --ks "$KEYSTORE" --ks-pass env:KEYSTORE_PASSWORD --key-pass env:KEY_PASSWORD${alias} "$apk"
  echo "signed $apk"
done`;
  const env = {
    KEYSTORE: keystore,
    KEYSTORE_PASSWORD: android.keystorePassword ?? '',
    KEY_PASSWORD: android.keyPassword || (android.keystorePassword ?? ''),
    KEY_ALIAS: android.keyAlias ?? '',
  };
  return [{ title: 'Sign', command: ['bash', '-e', '-c', script], folder: '.', env, isSigning: true }];
}

/** Builds with the Gradle wrapper of the project. */
export function planAndroid(work: Work, { keystore }: Pick<JobFiles, 'keystore'>): Plan {
  const { android = {} } = work.toolsets;
  const wrapper = android.gradleWrapperPath || 'gradlew';
  const root = path.posix.dirname(wrapper);
  const module = android.isRoot ? '' : (android.module ?? 'app');
  const variant = android.buildVariant || 'release';
  const task = (name: string) => (module === '' ? name : `:${module}:${name}`);
  const folder = path.posix.join(root, module.replaceAll(':', '/'));
  const outputs = path.posix.join(folder, 'build/outputs');
  // Android Studio passes the version code to the Android plugin in the same way.
  const number = work.buildNumber === undefined ? [] : [`-Pandroid.injected.version.code=${work.buildNumber}`];
  const gradle = (title: string, ...tasks: string[]): Stage => ({
    title,
    command: ['bash', `./${path.posix.basename(wrapper)}`, '--no-daemon', '--stacktrace', ...number, ...tasks],
    folder: root,
  });
  const taskSuffix = capitalized(variant);
  return {
    folder,
    restore: [],
    build: [
      gradle('Build', task(`assemble${taskSuffix}`), ...(android.buildBundle ? [task(`bundle${taskSuffix}`)] : [])),
      ...(android.runLint ? [gradle('Lint', task(`lint${taskSuffix}`))] : []),
      ...(android.runTests === false ? [] : [gradle('Tests', task(`test${taskSuffix}UnitTest`))]),
      ...signing(work, path.posix.join(outputs, 'apk'), keystore),
    ],
    artifacts: [
      { kind: 'build', patterns: [`${outputs}/apk/**/*.apk`, `${outputs}/bundle/**/*.aab`] },
      { kind: 'mapping', patterns: [`${outputs}/mapping/**/mapping.txt`] },
    ],
    variables: { APPCENTER_ANDROID_VARIANT: variant, APPCENTER_ANDROID_MODULE: module },
  };
}
