import { SECOND } from '../kernel/clock.ts';
import { createFetch } from './fetch.ts';

/** For addresses that the operator chose, which may well be on their own network. */
const fetchAnywhere = createFetch({ allow: ['0.0.0.0/0', '::/0'] });

/** A small JSON document of another server. */
export async function fetchJson(url: string): Promise<unknown> {
  const { status, body } = await fetchAnywhere(url, {
    headers: { accept: 'application/json' },
    timeoutMs: 5 * SECOND,
  });
  if (status !== 200) throw new Error(`${url} answered ${status}`);
  return JSON.parse(body.toString('utf8'));
}
