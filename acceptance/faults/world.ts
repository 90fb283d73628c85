import assert from 'node:assert/strict';
import {
  type Facts,
  image,
  impact,
  otherSubscriptionId,
  subscriptionId,
} from '../../packages/server/test/contract/samples.ts';
import { formOf } from '../../tools/images.ts';
import { basic, createToken, createUser, type Person, password, send } from '../harness/http.ts';
import { linkMailedTo } from '../harness/mails.ts';
import type { RunningServer } from '../harness/server.ts';

export interface FaultWorld {
  server: RunningServer;
  ada: string;
  grace: Person & { token: string };
  adaReadOnly: string;
  appToken: string;
  /** Makes whatever of the world is no longer there, and tells of what changed with it. */
  mend(): Promise<Facts>;
}

type Json = Record<string, unknown> & { id: string };
const health = `/subscriptions/${subscriptionId}/providers/Vendor.ResourceHealth`;
const version = '?api-version=2024-02-01';
const redirect = encodeURIComponent('https://board.example.com/signed-in');
const none = '00000000-0000-4000-8000-000000000000';

/** The world that the samples speak of, made through the API alone: one of everything. */
export async function openWorld(server: RunningServer): Promise<FaultWorld> {
  const { api_token: ada } = await createToken(server, { description: 'keeper' });
  const person = await createUser(server, ada, 'grace');
  const graces = (await createToken(server, { description: 'keeper' }, basic(person.email, password))).api_token;
  const grace = { ...person, token: graces };
  const readOnly = await createToken(server, { description: 'keeper', scope: ['viewer'] });

  /** Whatever is there already is refused, which is fine. */
  async function ask<T = Json>(method: string, path: string, body: object = {}, token = ada): Promise<T> {
    const call = method === 'GET' ? { token } : { token, body };
    const answer = await send(method, server.httpUrl + path, call);
    assert.ok(answer.status < 500, `${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.status < 300 && answer.text ? answer.json<T>() : ({ id: none } as T);
  }
  const v1 = <T = Json>(method: string, path: string, body?: object, token?: string) =>
    ask<T>(method, `/v0.1${path}`, body, token);

  async function mailed(email: string, kind: string): Promise<string> {
    const link = await linkMailedTo(server, ada, email, `/invitations/${kind}/`);
    return link?.split('/').at(-1) ?? none;
  }
  async function join(home: string, kind: 'org' | 'app', role: string): Promise<void> {
    await v1('POST', `${home}/invitations`, { user_email: grace.email, role });
    await v1('POST', `/user/invitations/${kind}s/${await mailed(grace.email, kind)}/accept`, {}, grace.token);
  }
  async function spare(path: string): Promise<string> {
    await v1('POST', path, { description: 'spare' });
    const tokens = await v1<{ id: string; description: string }[]>('GET', path);
    return Array.isArray(tokens) ? (tokens.find(({ description }) => description === 'spare')?.id ?? none) : none;
  }

  /** One that is there, or a new one. */
  async function one(what: string, body: object): Promise<string> {
    const { value } = await ask<{ value?: { id: string }[] }>('GET', `${health}/${what}${version}`);
    return value?.[0]?.id ?? (await ask('POST', `${health}/${what}${version}`, body)).id;
  }

  async function mend(): Promise<Facts> {
    const newApp = (name: string) => ({ name, display_name: name, os: 'Android', platform: 'Java' });
    await v1('PATCH', `/admin/users/${grace.id}`, { is_disabled: false, is_admin: false });
    await v1('POST', '/apps', newApp('compass'));
    for (const name of ['lighthouse', 'harbour']) await v1('POST', '/orgs', { name });
    for (const name of ['buoy', 'tide']) await v1('POST', '/orgs/harbour/apps', newApp(name));
    await v1('POST', '/orgs', { name: 'jetty' }, grace.token);
    await v1('POST', '/apps', newApp('sextant'), grace.token);
    await join('/apps/ada/compass', 'app', 'developer');
    await join('/orgs/lighthouse', 'org', 'collaborator');
    await join('/orgs/harbour', 'org', 'member');
    await v1('POST', '/orgs/harbour/teams', { display_name: 'pilots', name: 'pilots' });
    await v1('POST', '/orgs/harbour/teams/pilots/users', { user_email: grace.email });
    await v1('POST', '/orgs/harbour/teams/pilots/apps', { name: 'tide' });
    await v1('POST', '/orgs/lighthouse/service_accounts', { display_name: 'robot' });
    for (const home of ['/orgs/lighthouse', '/apps/ada/compass']) {
      await v1('POST', `${home}/invitations`, { user_email: 'new@example.com' });
    }
    for (const [home, token, email] of [
      ['/apps/ada/compass', ada, 'new@example.com'],
      ['/orgs/harbour', ada, 'new@example.com'],
      ['/apps/grace/sextant', graces, 'ada@example.com'],
    ] as const) {
      await v1('POST', `${home}/distribution_groups`, { name: 'Beta divers' }, token);
      await v1('POST', `${home}/distribution_groups/Beta%20divers/members`, { user_emails: [email] }, token);
    }
    await v1('POST', '/orgs/harbour/distribution_groups/Beta%20divers/apps', { apps: [{ name: 'tide' }] });
    for (const home of ['/orgs/jetty', '/apps/grace/sextant']) {
      await v1('POST', `${home}/invitations`, { user_email: 'ada@example.com' }, graces);
    }
    for (const id of [subscriptionId, otherSubscriptionId]) {
      const tenantId = '7a1c5d2e-9b11-4d2f-8a57-6f0c5d2e9b22';
      await ask('PUT', `/subscriptions/${id}${version}`, { displayName: 'Harbour', tenantId, owner: 'ada' });
    }
    await ask('PUT', `/subscriptions/${subscriptionId}/readers/grace${version}`);
    const properties = { eventType: 'ServiceIssue', title: 'Broken', impact };
    await ask('PUT', `/providers/Vendor.ResourceHealth/events/BC_1-FXZ${version}`, { properties });
    await v1('POST', '/admin/health_operators', { user_name: 'grace' });
    await v1('POST', '/apps/ada/compass/azure_subscriptions', { subscription_id: subscriptionId });
    const webhookId = await one('webhooks', { url: 'https://hooks.example.com/' });
    const { id: deliveryId } = await ask('POST', `${health}/webhooks/${webhookId}/test${version}`);
    const feedId = await one('feeds', {});
    const board = { name: 'Board', redirect_uris: ['https://board.example.com/signed-in'], allows_implicit: true };
    const { client_id: client = none } = await v1('POST', '/admin/oauth_clients', board);
    const { link = '' } = await v1('POST', `/admin/users/${grace.id}/password_reset`);
    return {
      grace,
      webhookId,
      deliveryId,
      feedId,
      client: { id: String(client) },
      request: `client_id=${client}&redirect_uri=${redirect}&response_type=token&state=a`,
      spareToken: await spare('/api_tokens'),
      spareAppToken: await spare('/apps/ada/compass/api_tokens'),
      spareRobotToken: await spare('/orgs/lighthouse/service_accounts/robot/api_tokens'),
      orgInvitation: await mailed('ada@example.com', 'org'),
      appInvitation: await mailed('ada@example.com', 'app'),
      newInvitation: await mailed('new@example.com', 'app'),
      groupInvitation: await mailed('ada@example.com', 'group'),
      mailId: none,
      deadJob: none,
      resetToken: String(link).split('#token=')[1] ?? none,
      setupToken: none,
    };
  }

  await mend();
  const form = formOf(image);
  for (const home of ['/apps/ada/compass', '/orgs/lighthouse']) {
    const headers = { 'content-type': form.type };
    const { status, text } = await send('POST', `${server.httpUrl}/v0.1${home}/avatar`, {
      token: ada,
      raw: form.body,
      headers,
    });
    assert.ok(status < 300, text);
  }
  const { api_token: appToken } = await v1<{ api_token: string }>('POST', '/apps/ada/compass/api_tokens');
  return { server, ada, grace, adaReadOnly: readOnly.api_token, appToken, mend };
}
