/** What the SDKs in apps send first. The suite sends each as they do, with the secret of an app that exists. */
export interface SdkRequest {
  /** What it is for. */
  purpose: string;
  method: 'GET' | 'POST';
  /** `{app_secret}` is the app's, `{deployment_key}` that of a deployment of it. */
  path: string;
  headers?: Record<string, string>;
  body?: object;
  /** How this server answers today. */
  status: number;
  /** What the SDK does about that answer; from its source, not run here. */
  consequence: string;
}

const device = {
  sdkName: 'appcenter.android',
  sdkVersion: '5.0.6',
  osName: 'Android',
  osVersion: '14',
  locale: 'en_US',
  timeZoneOffset: 120,
  appVersion: '1.4.0',
  appBuild: '140',
};

export const sdkRequests: SdkRequest[] = [
  {
    purpose: 'logs: sessions, events, crashes, handled errors, attachments',
    method: 'POST',
    path: '/logs?api-version=1.0.0',
    headers: { 'app-secret': '{app_secret}', 'install-id': '0b1f6a3e-9a61-4d0c-8a57-3a535b7c1f0e' },
    body: { logs: [{ type: 'startService', timestamp: '2026-11-01T09:00:00.000Z', services: ['Analytics'], device }] },
    status: 200,
    consequence: 'It deletes from the device what it has sent.',
  },
  {
    purpose: 'in-app updates, public groups',
    method: 'GET',
    path: '/v0.1/public/sdk/apps/{app_secret}/releases/latest?release_hash=00',
    status: 404,
    consequence: 'It offers no update: the app has no release in a public group.',
  },
  {
    purpose: 'in-app updates, private groups',
    method: 'GET',
    path: '/v0.1/sdk/apps/{app_secret}/releases/private/latest?release_hash=00',
    headers: { 'x-api-token': 'update-token' },
    status: 401,
    consequence: 'It forgets a token that does not hold, and has its tester sign in again in the browser.',
  },
  {
    purpose: 'CodePush: asking for an update',
    method: 'GET',
    path: '/v0.1/public/codepush/update_check?deployment_key={deployment_key}&app_version=1.0.0',
    status: 200,
    consequence: 'It installs what is offered, or goes on with what it has.',
  },
  {
    purpose: 'CodePush: reporting that one was installed',
    method: 'POST',
    path: '/v0.1/public/codepush/report_status/deploy',
    body: { deployment_key: '{deployment_key}', app_version: '1.0.0' },
    status: 200,
    consequence: 'It is counted.',
  },
];
