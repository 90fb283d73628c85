import { createToken, createUser, type Person, password, send } from './http.ts';
import { linkMailedTo } from './mails.ts';
import type { RunningServer } from './server.ts';

/** A small world for browsers to look at: people, an organization, apps, a team, a service account, tokens. */
export interface World {
  /** Calls the API as the administrator, or with another token. */
  call<T = Record<string, unknown>>(method: string, path: string, body?: object, token?: string): Promise<T>;
  /** The path of the newest link that was mailed to somebody. */
  linkTo(email: string): Promise<string>;
  grace: Person;
  linus: Person;
  /** The id of a webhook of the administrator, whose receiver cannot be found. */
  webhook: string;
}

const invitationLink = /\/invitations\/(org|app)\/(\w+)/;

export async function fillWorld(server: RunningServer): Promise<World> {
  const { api_token: admin } = await createToken(server, { description: 'world' });
  const call: World['call'] = async <T>(method: string, path: string, body: object = {}, token = admin) => {
    const answer = await send(method, `${server.httpUrl}/v0.1${path}`, method === 'GET' ? { token } : { token, body });
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return (answer.text ? answer.json<T>() : undefined) as T;
  };
  const linkTo = async (email: string): Promise<string> => {
    const link = await linkMailedTo(server, admin, email);
    if (!link) throw new Error(`No link was mailed to ${email}.`);
    const { pathname, hash } = new URL(link);
    return pathname + hash;
  };
  const join = async (place: string, person: Person, role: string) => {
    await call('POST', `${place}/invitations`, { user_email: person.email, role });
    const [, kind, invitation] = invitationLink.exec(await linkTo(person.email)) ?? [];
    const basic = Buffer.from(`${person.email}:${password}`).toString('base64');
    const { api_token } = await createToken(server, {}, { authorization: `Basic ${basic}` });
    await call('POST', `/user/invitations/${kind}s/${invitation}/accept`, {}, api_token);
  };
  const grace = await createUser(server, admin, 'grace', { display_name: 'Grace Hopper' });
  const linus = await createUser(server, admin, 'linus', { display_name: 'Linus Torvalds' });
  await call('POST', '/orgs', { name: 'lighthouse', display_name: 'Lighthouse Labs' });
  for (const [display_name, os, platform] of [
    ['Compass', 'Android', 'Java'],
    ['Tide Table', 'iOS', 'Objective-C-Swift'],
  ]) {
    await call('POST', '/orgs/lighthouse/apps', { display_name, os, platform, release_type: 'Beta' });
  }
  await call('POST', '/apps', { display_name: 'Sextant', name: 'sextant', os: 'Linux', platform: 'Electron' });
  await join('/orgs/lighthouse', grace, 'collaborator');
  await join('/apps/lighthouse/Compass', linus, 'member');
  await call('POST', '/orgs/lighthouse/teams', { display_name: 'Pilots', description: 'They steer.' });
  await call('POST', '/orgs/lighthouse/teams/Pilots/users', { user_email: grace.email });
  await call('POST', '/orgs/lighthouse/teams/Pilots/apps', { name: 'Compass' });
  await call('POST', '/orgs/lighthouse/service_accounts', { display_name: 'Build robot', name: 'build-robot' });
  await call('POST', '/orgs/lighthouse/service_accounts/build-robot/api_tokens', { description: 'nightly build' });
  await call('POST', '/orgs/lighthouse/invitations', { user_email: 'zoe@example.org', role: 'member' });
  await call('POST', '/apps/lighthouse/Compass/invitations', { user_email: 'new@example.org', role: 'member' });
  await call('POST', '/apps/lighthouse/Compass/api_tokens', { description: 'ci upload' });
  const people = { user_emails: [grace.email, 'tester@example.org'] };
  const divers = '/apps/lighthouse/Compass/distribution_groups';
  await call('POST', divers, { name: 'Beta divers' });
  await call('POST', `${divers}/Beta%20divers/members`, people);
  await call('POST', '/orgs/lighthouse/distribution_groups', { name: 'Everybody' });
  await call('POST', '/orgs/lighthouse/distribution_groups/Everybody/members', people);
  await call('POST', '/orgs/lighthouse/distribution_groups/Everybody/apps', { apps: [{ name: 'Compass' }] });
  const webhook = await fillHealth(server, admin);
  return { call, linkTo, grace, linus, webhook };
}

export const harbour = '5f0c5d2e-9b11-4d2f-8a57-6f0c5d2e9b11';
const DAY = 86_400_000;

/** A subscription of the organization, and a few events: for everyone, for it, over, planned, with all their parts. */
async function fillHealth(server: RunningServer, token: string): Promise<string> {
  const ask = async <T>(method: string, path: string, body: object) => {
    const answer = await send(method, `${server.httpUrl}${path}?api-version=2024-02-01`, { token, body });
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return (answer.text ? answer.json<T>() : undefined) as T;
  };
  const put = (path: string, body: object) => ask('PUT', path, body);
  const ago = (days: number) => new Date(Date.now() - days * DAY).toISOString();
  const publish = (id: string, properties: object) =>
    put(`/providers/Vendor.ResourceHealth/events/${id}`, { properties });
  const tenantId = '7a1c5d2e-9b11-4d2f-8a57-6f0c5d2e9b22';
  await put(`/subscriptions/${harbour}`, { displayName: 'Harbour', tenantId, owner: 'lighthouse' });
  await put(`/subscriptions/${harbour}/readers/linus`, {});
  const region = (impactedRegion: string, more: object = {}) => ({ impactedRegion, status: 'Active', ...more });
  await publish('TIDE-001', {
    eventType: 'ServiceIssue',
    eventLevel: 'Critical',
    title: 'Mail is not delivered in the north',
    summary: 'Mail to addresses in the north waits. None of it is lost.',
    description: 'A certificate of the relays has run out.\nWe are replacing it on all of them.',
    impactStartTime: ago(4),
    impact: [
      {
        impactedService: 'Mail',
        impactedRegions: [
          region('North', { updates: [{ summary: 'We are looking into it.', updateDateTime: ago(4) }] }),
          region('South', { status: 'Resolved', updates: [{ summary: 'It works again.', updateDateTime: ago(2) }] }),
        ],
      },
      { impactedService: 'Search', impactedRegions: [region('North', { impactedSubscriptions: [harbour] })] },
    ],
    recommendedActions: {
      message: 'Until it is over:',
      actions: [{ actionText: 'Send what is urgent by the south.' }, { actionText: 'Do not send anything twice.' }],
    },
    faqs: [{ question: 'Is mail lost?', answer: 'No. It waits, and is delivered later.' }],
    links: [{ displayText: { value: 'Status of the relays' }, parameters: { url: 'https://status.example.com/' } }],
    article: { articleContent: '<h2>What happened</h2><p>A certificate <b>ran out</b>.</p><script>x()</script>' },
    additionalInformation: { message: 'The next update comes within an hour.' },
  });
  await publish('TIDE-002', {
    eventType: 'PlannedMaintenance',
    eventLevel: 'Informational',
    title: 'New disks for the storage of the south',
    status: 'Resolved',
    impactStartTime: ago(40),
    impactMitigationTime: ago(38),
    impact: [{ impactedService: 'Storage', impactedRegions: [region('South', { status: 'Resolved' })] }],
  });
  await publish('TIDE-003', {
    eventType: 'HealthAdvisory',
    eventLevel: 'Warning',
    title: 'Search answers slowly',
    impactStartTime: ago(20),
    impact: [{ impactedService: 'Search', impactedRegions: [region('North'), region('West')] }],
  });
  await ask('POST', '/v0.1/admin/health_operators', { user_name: 'grace' });
  const outlets = `/subscriptions/${harbour}/providers/Vendor.ResourceHealth`;
  const hook = { url: 'https://hooks.invalid/health', filter: "service eq 'Mail'" };
  const { id } = await ask<{ id: string }>('POST', `${outlets}/webhooks`, hook);
  await ask('POST', `${outlets}/webhooks/${id}/test`, {});
  await ask('POST', `${outlets}/feeds`, {});
  return id;
}
