import { SECOND, toIso } from '../../../kernel/clock.ts';
import { signWebhook } from '../../../outbound/delivery/index.ts';
import type { OutboundFetch } from '../../../outbound/fetch.ts';
import { type Delivery, DestinationError, type Receiver, toExcerpt } from './destination.ts';

const TIMEOUT = 60 * SECOND;

/** Posts records as JSON, signed according to Standard Webhooks; any 2xx is an acknowledgement. */
export function httpReceiver(
  fetch: OutboundFetch,
  { url, secret, appId }: { url: string; secret: string; appId: string },
  now: () => number,
): Receiver {
  async function post(id: string, type: string, data: object): Promise<void> {
    const body = JSON.stringify({ type, timestamp: toIso(now()), data });
    const headers = { 'content-type': 'application/json', ...signWebhook({ id, at: now(), body, secrets: [secret] }) };
    const response = await fetch(url, { method: 'POST', headers, body, timeoutMs: TIMEOUT, maxBytes: 65_536 });
    if (response.status >= 200 && response.status < 300) return;
    const isLasting = [401, 403, 404, 410].includes(response.status);
    throw new DestinationError(`The receiver responded with ${response.status} ${toExcerpt(response.body)}`.trim(), {
      isLasting,
    });
  }
  return {
    kind: 'records',
    takes: () => true,
    send: ({ id, entity, records }: Delivery) => post(id, `export.${entity}`, { app_id: appId, entity, records }),
    check: () => post(`check-${now()}`, 'export.check', { app_id: appId }),
  };
}
