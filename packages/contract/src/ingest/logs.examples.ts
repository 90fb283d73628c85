import type { EndpointExamples } from '../endpoint/example.ts';

export const installExample = '0d1f7c1e-3a53-4d0c-9a61-0b4e9a0f2d11';

const device = {
  sdkName: 'appcenter.android',
  sdkVersion: '5.0.6',
  model: 'Pixel 7',
  oemName: 'Google',
  osName: 'Android',
  osVersion: '14',
  osApiLevel: 34,
  locale: 'en_US',
  timeZoneOffset: 120,
  screenSize: '1080x2400',
  appVersion: '1.4.0',
  appBuild: '140',
  carrierCountry: 'de',
};
const sid = '5b7c1f0e-3a53-4d0c-9a61-0b4e9a0f2d11';

/** Logs of an Android SDK: an app starts and its user buys an item. */
export const logsExample = {
  logs: [
    { type: 'startSession', timestamp: '2026-11-01T08:59:58.000Z', sid, device },
    {
      type: 'event',
      timestamp: '2026-11-01T08:59:59.000Z',
      sid,
      id: '7b1f7c1e-3a53-4d0c-9a61-0b4e9a0f2d12',
      name: 'checkout',
      typedProperties: [{ type: 'string', name: 'plan', value: 'pro' }],
      device,
    },
  ],
};

const secret = '8d2f3f0c-5d2e-4b11-9a57-6f0c5d2e9b77';

export const logsExamples = {
  logs_check: { headers: { 'app-secret': secret } },
  logs_send: {
    query: { 'api-version': '1.0.0' },
    headers: { 'app-secret': secret, 'install-id': installExample },
    body: logsExample,
    response: { accepted: 2, invalid: 0, dropped: 0 },
  },
} satisfies EndpointExamples<typeof import('./logs.contract.ts')>;
