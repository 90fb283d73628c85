import type { EndpointExamples } from '../endpoint/example.ts';

const params = { project_id: '481516234201' };
const headers = { 'x-sentry-auth': 'Sentry sentry_version=7, sentry_key=4a0c5d2e9b114d2f8a576f0c5d2e9b44' };
const id = '9ec79c33ec9942ab8353589fcb2e04dc';

const event = {
  event_id: id,
  platform: 'java',
  level: 'fatal',
  release: 'com.example.compass@1.4.0+140',
  exception: {
    values: [
      {
        type: 'IllegalStateException',
        module: 'java.lang',
        value: 'The cart is empty',
        mechanism: { type: 'UncaughtExceptionHandler', handled: false },
        stacktrace: {
          frames: [
            { module: 'android.os.Handler', function: 'dispatchMessage', filename: 'Handler.java', lineno: 106 },
            { module: 'com.example.compass.Cart', function: 'pay', filename: 'Cart.kt', lineno: 42, in_app: true },
          ],
        },
      },
    ],
  },
  contexts: { device: { model: 'Pixel 7', manufacturer: 'Google' }, os: { name: 'Android', version: '14' } },
};
const envelope = [{ event_id: id }, { type: 'event' }, event].map((line) => JSON.stringify(line)).join('\n');

const boundary = '--5f3c9a';
const form = [
  boundary,
  'Content-Disposition: form-data; name="sentry[release]"',
  '',
  'compass@1.4.0',
  boundary,
  'Content-Disposition: form-data; name="upload_file_minidump"; filename="crash.dmp"',
  '',
  'MDMP…',
  `${boundary}--`,
  '',
].join('\r\n');

export const envelopesExamples = {
  envelopes_send: { params, query: { sentry_version: '7' }, headers, body: envelope, response: { id } },
  minidumps_send: { params, query: {}, headers, body: form },
  sentryEvents_store: { params, query: {}, headers, body: event, response: { id } },
} satisfies EndpointExamples<typeof import('./envelopes.contract.ts')>;
