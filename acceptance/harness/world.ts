import { createToken, createUser, type Person, password, send } from './http.ts';
import type { RunningServer } from './server.ts';

/** A small world for browsers to look at: people, an organization, apps, a team, a service account, tokens. */
export interface World {
  /** Calls the API as the administrator, or with another token. */
  call<T = Record<string, unknown>>(method: string, path: string, body?: object, token?: string): Promise<T>;
  /** The newest mail to an address. */
  mailTo(email: string): Promise<string>;
  grace: Person;
  linus: Person;
}

const invitationLink = /\/invitations\/(org|app)\/(\w+)/;

export async function fillWorld(server: RunningServer): Promise<World> {
  const { api_token: admin } = await createToken(server, { description: 'world' });
  const call: World['call'] = async <T>(method: string, path: string, body: object = {}, token = admin) => {
    const answer = await send(method, `${server.httpUrl}/v0.1${path}`, method === 'GET' ? { token } : { token, body });
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return (answer.text ? answer.json<T>() : undefined) as T;
  };
  const mailTo = async (email: string): Promise<string> => {
    const { values } = await call<{ values: { to: string; text: string }[] }>('GET', '/admin/mails?limit=200');
    return values.find(({ to }) => to === email)?.text ?? '';
  };
  const join = async (place: string, person: Person, role: string) => {
    await call('POST', `${place}/invitations`, { user_email: person.email, role });
    const [, kind, invitation] = invitationLink.exec(await mailTo(person.email)) ?? [];
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
  return { call, mailTo, grace, linus };
}
