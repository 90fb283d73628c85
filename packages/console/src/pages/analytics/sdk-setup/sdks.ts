import type { App } from '../../../api/apps.ts';

interface Sdk {
  name: string;
  /** Place for the code. */
  where: string;
  code: (secret: string, logUrl: string) => string;
}

const android: Sdk = {
  name: 'Android',
  where: 'In onCreate of your Application or first Activity:',
  code: (secret, logUrl) => `AppCenter.setLogUrl("${logUrl}")
AppCenter.start(application, "${secret}", Analytics::class.java, Crashes::class.java)`,
};

const apple: Sdk = {
  name: 'iOS, macOS, tvOS',
  where: 'In application(_:didFinishLaunchingWithOptions:):',
  code: (secret, logUrl) => `AppCenter.logUrl = "${logUrl}"
AppCenter.start(withAppSecret: "${secret}", services: [Analytics.self, Crashes.self])`,
};

const dotnet: Sdk = {
  name: '.NET (MAUI, WPF, WinForms, UWP)',
  where: 'In OnStart or OnLaunched of your app:',
  code: (secret, logUrl) => `AppCenter.SetLogUrl("${logUrl}");
AppCenter.Start("${secret}", typeof(Analytics), typeof(Crashes));`,
};

const reactNative: Sdk = {
  name: 'React Native',
  where:
    'Set the secret in appcenter-config.json (Android) and AppCenter-Config.plist (iOS). Set the log URL in native code before React Native starts:',
  code: (secret, logUrl) => `// android/app/src/main/assets/appcenter-config.json
{ "app_secret": "${secret}" }

// MainApplication.kt, in onCreate
AppCenter.setLogUrl("${logUrl}")

// AppDelegate.swift
AppCenter.logUrl = "${logUrl}"`,
};

const unity: Sdk = {
  name: 'Unity',
  where:
    'In the App Center Behavior settings, choose “Custom log URL” and enter the URL. Or set it in a script before App Center starts:',
  code: (secret, logUrl) => `// App secret: ${secret}
AppCenter.SetLogUrl("${logUrl}");`,
};

const http: Sdk = {
  name: 'Any other platform (HTTP)',
  where: 'Send JSON over HTTP. Create one UUID for each install and keep it there:',
  code: (secret, logUrl) => `curl ${logUrl}/logs?api-version=1.0.0 \\
  -H 'App-Secret: ${secret}' \\
  -H 'Install-ID: 5b7c1f0e-3a53-4d0c-9a61-0b4e9a0f2d11' \\
  -H 'Content-Type: application/json' \\
  -d '{"logs": [{
    "type": "event", "name": "Hello", "id": "'$(uuidgen)'",
    "timestamp": "'$(date -u +%Y-%m-%dT%H:%M:%SZ)'",
    "device": {"sdkName": "curl", "sdkVersion": "1", "osName": "Linux", "osVersion": "6",
      "locale": "en_US", "timeZoneOffset": 0, "appVersion": "1.0", "appBuild": "1"}
  }]}'`,
};

export const sdks: readonly Sdk[] = [android, apple, dotnet, reactNative, unity, http];

/** The most likely SDK of an app with this platform. */
export function sdkFor({ os, platform }: Pick<App, 'os' | 'platform'>): Sdk {
  if (platform === 'React-Native') return reactNative;
  if (platform === 'Unity') return unity;
  if (['Xamarin', 'WPF', 'WinForms', 'UWP'].includes(platform)) return dotnet;
  if (['iOS', 'macOS', 'tvOS'].includes(os)) return apple;
  return os === 'Android' ? android : http;
}
