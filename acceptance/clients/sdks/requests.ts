/** The first requests of the SDKs in apps. The suite sends each like the SDK, with the secret of an existing app. */
export interface SdkRequest {
  /** The purpose of the request. */
  purpose: string;
  method: 'GET' | 'POST';
  /** `{app_secret}` is the secret of the app, `{deployment_key}` the key of a deployment. */
  path: string;
  headers?: Record<string, string>;
  body?: object;
  /** The current response of this server. */
  status: number;
  /** The reaction of the SDK, according to its source; not run here. */
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
    consequence: 'Deletes the sent logs from the device.',
  },
  {
    purpose: 'in-app updates, public groups',
    method: 'GET',
    path: '/v0.1/public/sdk/apps/{app_secret}/releases/latest?release_hash=00',
    status: 404,
    consequence: 'Offers no update: no public group of the app has a release.',
  },
  {
    purpose: 'in-app updates, private groups',
    method: 'GET',
    path: '/v0.1/sdk/apps/{app_secret}/releases/private/latest?release_hash=00',
    headers: { 'x-api-token': 'update-token' },
    status: 401,
    consequence: 'Discards the invalid token and opens the browser for sign-in.',
  },
  {
    purpose: 'CodePush: update check',
    method: 'GET',
    path: '/v0.1/public/codepush/update_check?deployment_key={deployment_key}&app_version=1.0.0',
    status: 200,
    consequence: 'Installs the update if there is one.',
  },
  {
    purpose: 'CodePush: installation report',
    method: 'POST',
    path: '/v0.1/public/codepush/report_status/deploy',
    body: { deployment_key: '{deployment_key}', app_version: '1.0.0' },
    status: 200,
    consequence: 'None; the server counts it.',
  },
];
