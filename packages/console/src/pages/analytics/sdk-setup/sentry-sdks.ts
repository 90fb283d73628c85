import type { App } from '../../../api/apps.ts';

interface SentrySdk {
  name: string;
  /** Place for the code. */
  where: string;
  code: (dsn: string) => string;
}

const android: SentrySdk = {
  name: 'Android',
  where: 'With the package io.sentry:sentry-android, in AndroidManifest.xml inside <application>:',
  code: (dsn) => `<meta-data android:name="io.sentry.dsn" android:value="${dsn}" />`,
};

const apple: SentrySdk = {
  name: 'iOS, macOS, tvOS',
  where: 'With the package sentry-cocoa, in application(_:didFinishLaunchingWithOptions:):',
  code: (dsn) => `SentrySDK.start { options in
  options.dsn = "${dsn}"
}`,
};

const dotnet: SentrySdk = {
  name: '.NET (MAUI, WPF, WinForms)',
  where: 'With the package Sentry, or Sentry.Maui, when the app starts:',
  code: (dsn) => `SentrySdk.Init(options =>
{
    options.Dsn = "${dsn}";
    options.AutoSessionTracking = true;
    options.IsGlobalModeEnabled = true;
});`,
};

const reactNative: SentrySdk = {
  name: 'React Native',
  where: 'With the package @sentry/react-native, in App.tsx:',
  code: (dsn) => `Sentry.init({ dsn: '${dsn}' });
export default Sentry.wrap(App);`,
};

const flutter: SentrySdk = {
  name: 'Flutter',
  where: 'With the package sentry_flutter, in main.dart:',
  code: (dsn) => `await SentryFlutter.init(
  (options) => options.dsn = '${dsn}',
  appRunner: () => runApp(MyApp()),
);`,
};

const unity: SentrySdk = {
  name: 'Unity',
  where: 'In Tools → Sentry, enter the DSN:',
  code: (dsn) => dsn,
};

const electron: SentrySdk = {
  name: 'Electron',
  where: 'With the package @sentry/electron, in the main process, before anything else:',
  code: (dsn) => `import * as Sentry from '@sentry/electron/main';
Sentry.init({ dsn: '${dsn}' });`,
};

const native: SentrySdk = {
  name: 'C and C++',
  where: 'With the library sentry-native, when the app starts:',
  code: (dsn) => `sentry_options_t *options = sentry_options_new();
sentry_options_set_dsn(options, "${dsn}");
sentry_options_set_release(options, "my-app@1.0.0");
sentry_init(options);`,
};

const javascript: SentrySdk = {
  name: 'JavaScript (Node.js, web views)',
  where: 'With the package @sentry/node or @sentry/browser, before anything else:',
  code: (dsn) => `Sentry.init({
  dsn: '${dsn}',
  release: 'my-app@1.0.0+1',
});`,
};

export const sentrySdks: readonly SentrySdk[] = [
  android,
  apple,
  dotnet,
  reactNative,
  flutter,
  unity,
  electron,
  native,
  javascript,
];

/** The most likely SDK of an app with this platform. */
export function sentrySdkFor({ os, platform }: Pick<App, 'os' | 'platform'>): SentrySdk {
  if (platform === 'React-Native') return reactNative;
  if (platform === 'Unity') return unity;
  if (platform === 'Electron') return electron;
  if (['Xamarin', 'WPF', 'WinForms', 'UWP'].includes(platform)) return dotnet;
  if (['iOS', 'macOS', 'tvOS'].includes(os)) return apple;
  return os === 'Android' ? android : javascript;
}
