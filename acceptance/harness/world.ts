import { crashIssues_split, HealthWebhooks_Get, Subscriptions_Get } from '@mooring/contract';
import { buildWorld, idOf, linksOf, shown, type World } from '@mooring/contract/world';
import { send } from './http.ts';
import type { RunningServer } from './server.ts';

export interface AcceptanceWorld extends World {
  /** Calls the API as the administrator, or with another token. */
  call<T = Record<string, unknown>>(method: string, path: string, body?: object, token?: string): Promise<T>;
  /** The path of the newest link that was mailed to somebody. */
  linkTo(email: string): Promise<string>;
  /** The id of a webhook of the administrator, whose receiver cannot be found. */
  webhook: string;
  /** The id of an issue that was merged from two. */
  mergedIssue: string;
}

export const subscription = shown(Subscriptions_Get, 'subscriptionId');

/** The world of the examples on a server that runs. */
export async function fillWorld({ httpUrl }: RunningServer): Promise<AcceptanceWorld> {
  const world = await buildWorld({ baseUrl: httpUrl, fetch, now: Date.now });
  const { ada } = world;
  return {
    ...world,
    webhook: idOf(world, HealthWebhooks_Get, 'webhookId'),
    mergedIssue: idOf(world, crashIssues_split, 'issue_id'),
    call: async <T>(method: string, path: string, body: object = {}, token = ada.token) => {
      const answer = await send(method, `${httpUrl}/v0.1${path}`, method === 'GET' ? { token } : { token, body });
      if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
      return (answer.text ? answer.json<T>() : undefined) as T;
    },
    linkTo: async (email) => {
      const link = await linksOf(ada.call)(email, '/');
      if (!link) throw new Error(`No link was mailed to ${email}.`);
      const { pathname, hash } = new URL(link);
      return pathname + hash;
    },
  };
}
