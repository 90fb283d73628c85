import { type EndpointOutput, envelopes_send, sentry_get } from '@mooring/contract';
import { useQuery } from '@tanstack/react-query';
import { type AppRef, appKey } from '../apps.ts';
import { call, useChange } from '../client.ts';
import { ingestionKey } from './ingestion.ts';

export type SentryDsn = EndpointOutput<typeof sentry_get>;

export const useSentryDsn = (params: AppRef) =>
  useQuery({ queryKey: [...appKey(params), 'sentry'], queryFn: () => call(sentry_get, { params }) });

/** 32 hexadecimal digits. Randomness is available on plain-HTTP pages, too. */
const randomHex = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** An envelope as SDKs send it: a handled error, and its session. */
function testEnvelope(): string {
  const now = new Date().toISOString();
  const event_id = randomHex();
  const release = 'test@0.0.1+1';
  const did = randomHex();
  const event = {
    event_id,
    timestamp: now,
    platform: 'javascript',
    level: 'error',
    release,
    user: { id: did },
    contexts: { device: { model: 'Test' } },
    exception: {
      values: [{ type: 'TestEvent', value: 'Sent from the console', mechanism: { type: 'generic', handled: true } }],
    },
  };
  const session = { sid: randomHex(), did, init: true, started: now, timestamp: now, status: 'exited', errors: 1 };
  return [
    { event_id, sent_at: now, sdk: { name: 'mooring.console', version: '1.0.0' } },
    { type: 'event' },
    event,
    { type: 'session' },
    { ...session, attrs: { release } },
  ]
    .map((line) => JSON.stringify(line))
    .join('\n');
}

/** Sends it to the endpoint of the SDKs, with the key of the DSN. */
export const useSendSentryTest = (params: AppRef, { project_id, public_key }: SentryDsn) =>
  useChange(
    () =>
      call(envelopes_send, {
        params: { project_id: String(project_id) },
        query: {},
        headers: {
          'x-sentry-auth': `Sentry sentry_version=7, sentry_client=mooring.console/1.0.0, sentry_key=${public_key}`,
        },
        body: new TextEncoder().encode(testEnvelope()),
      }),
    ingestionKey(params),
  );
