import type { Config } from '../../src/config.ts';
import type { DialectName } from '../../src/db/drivers/connection.ts';
import { testApp } from './app.ts';

const org = '/v0.1/orgs/lighthouse';
const compassUrl = '/v0.1/apps/lighthouse/compass';
const common = `${org}/distribution_groups/common`;
const acceptAll = '/v0.1/user/invitations/distribution_groups/accept';

/**
 * Ada administers lighthouse, which owns compass and sextant; Grace is a collaborator and developer of compass, Mary a
 * member.
 */
export async function withLighthouse(dialect: DialectName, settings: Partial<Config> = {}) {
  const app = await testApp(dialect, { publicUrl: 'https://mooring.example.com', ...settings });
  const people = {
    ada: await app.addUser('ada'),
    grace: await app.addUser('grace'),
    mary: await app.addUser('mary'),
    eve: await app.addUser('eve'),
  };
  const { ada, grace, mary, eve } = people;
  const lighthouse = await app.addOrg(ada, 'lighthouse');
  await app.addToOrg(lighthouse, grace, 'collaborator');
  await app.addToOrg(lighthouse, mary, 'member');
  const compass = await app.addOrgApp(lighthouse, ada, 'compass');
  const sextant = await app.addOrgApp(lighthouse, ada, 'sextant');
  await app.addMember(compass, grace, 'developer');
  const tokens = {
    ada: await app.userToken(ada),
    grace: await app.userToken(grace),
    mary: await app.userToken(mary),
    eve: await app.userToken(eve),
  };
  const ask = async (method: string, url: string, body?: object, token = tokens.ada) => {
    const answer = await app.call(method, url, { token, body });
    return { status: answer.statusCode, body: answer.body ? answer.json() : undefined };
  };
  const status = async (...call: Parameters<typeof ask>) => (await ask(...call)).status;
  const reason = async (...call: Parameters<typeof ask>) => {
    const { status, body } = await ask(...call);
    return [status, body.error.message];
  };
  /** Groups that users created, without the group Collaborators of each app. */
  const names = async (url: string, token?: string) =>
    ((await ask('GET', url, undefined, token)).body as { name: string }[])
      .map(({ name }) => name)
      .filter((name) => name !== 'Collaborators');
  return { app, ...people, lighthouse, compass, sextant, tokens, ask, status, reason, names };
}

/** The same, with a group beta of compass and a shared group common of compass and sextant. */
export async function withGroups(dialect: DialectName, settings?: Parameters<typeof withLighthouse>[1]) {
  const lighthouse = await withLighthouse(dialect, settings);
  const { app, ask, tokens } = lighthouse;
  await ask('POST', `${compassUrl}/distribution_groups`, { name: 'beta' });
  await ask('POST', `${org}/distribution_groups`, { name: 'common' });
  await ask('POST', `${common}/apps`, { apps: [{ name: 'compass' }, { name: 'sextant' }] });
  const permission = async (token: string, name = 'compass') => {
    const { status, body } = await ask('GET', `/v0.1/apps/lighthouse/${name}`, undefined, token);
    return status === 200 ? body.member_permissions[0] : status;
  };
  return {
    ...lighthouse,
    permission,
    add: async (url: string, ...user_emails: string[]) =>
      (await ask('POST', `${url}/members`, { user_emails })).body as Result[],
    remove: async (url: string, ...user_emails: string[]) =>
      (await ask('POST', `${url}/members/bulk_delete`, { user_emails })).body as Result[],
    accept: async (token: string, body = {}) => (await ask('POST', acceptAll, body, token)).status,
    members: async (url: string) =>
      ((await ask('GET', `${url}/members`)).body as { email: string; invite_pending: boolean }[]).map(
        ({ email, invite_pending }) => [email, invite_pending],
      ),
    mailsTo: (email: string) =>
      app.database.query((q) => q.selectFrom('mails').select(['subject', 'text']).where('to', '=', email)),
    adas: tokens.ada,
  };
}

/** Result for one of many email addresses. */
interface Result {
  status: number;
  user_email: string;
  invite_pending?: boolean;
  code?: string;
  message?: string;
}
