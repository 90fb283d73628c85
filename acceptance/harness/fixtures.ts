import { crashIssues_split, HealthWebhooks_Get, Subscriptions_Get } from '@mooring/contract';
import { buildFixtures, createLinkReader, type Fixtures, getId, shown } from '@mooring/contract/fixtures';
import { send } from './http.ts';
import type { RunningServer } from './server.ts';

export interface AcceptanceFixtures extends Fixtures {
  /** Calls the API as the administrator, or with another token. */
  call<T = Record<string, unknown>>(method: string, path: string, body?: object, token?: string): Promise<T>;
  /** The path of the newest link that was emailed to an address. */
  linkTo(email: string): Promise<string>;
  /** The ID of a webhook of the administrator whose receiver does not exist. */
  webhook: string;
  /** The ID of an issue that was merged from two. */
  mergedIssue: string;
}

export const subscription = shown(Subscriptions_Get, 'subscriptionId');

/** The test fixtures on a running server. */
export async function createFixtures({ httpUrl }: RunningServer): Promise<AcceptanceFixtures> {
  const fixtures = await buildFixtures({ baseUrl: httpUrl, fetch, now: Date.now });
  const { ada } = fixtures;
  return {
    ...fixtures,
    webhook: getId(fixtures, HealthWebhooks_Get, 'webhookId'),
    mergedIssue: getId(fixtures, crashIssues_split, 'issue_id'),
    call: async <T>(method: string, path: string, body: object = {}, token = ada.token) => {
      const answer = await send(method, `${httpUrl}/v0.1${path}`, method === 'GET' ? { token } : { token, body });
      if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
      return (answer.text ? answer.json<T>() : undefined) as T;
    },
    linkTo: async (email) => {
      const link = await createLinkReader(ada.call)(email, '/');
      if (!link) throw new Error(`No email to ${email} has a link.`);
      const { pathname, hash } = new URL(link);
      return pathname + hash;
    },
  };
}
