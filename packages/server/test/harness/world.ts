import { systemCtx } from '../../src/context.ts';
import { prepareFirstAdmin } from '../../src/domains/accounts/index.ts';
import type { TestApp } from './app.ts';
import { password } from './app.ts';

/** Something of everything, so that no table is empty. */
export async function fillWorld(app: TestApp): Promise<{ token: string }> {
  await prepareFirstAdmin(systemCtx(app.deps));
  const ada = await app.addUser('ada', { isAdmin: true });
  const grace = await app.addUser('grace');
  const token = await app.userToken(ada, { description: 'night\t"ly"\n\u2028 ⚓ 日本丸 \\u0041 \'x\'' });
  const send = async (method: string, url: string, body?: object) => {
    const answer = await app.call(method, url, { token, body });
    if (answer.statusCode >= 300) throw new Error(`${method} ${url} answered ${answer.statusCode}: ${answer.body}`);
  };
  const lighthouse = await app.addOrg(ada, 'lighthouse');
  await app.addToOrg(lighthouse, grace, 'collaborator');
  const beacon = await app.addOrgApp(lighthouse, ada, 'beacon');
  await app.addTeam(lighthouse, ada, 'pilots', { users: [grace], apps: [beacon] });
  await app.addApp(ada, 'compass');
  await send('POST', '/v0.1/orgs/lighthouse/service_accounts', { display_name: 'Robot' });
  await send('POST', '/v0.1/orgs/lighthouse/invitations', { user_email: 'new@example.com' });
  await send('PATCH', '/v0.1/orgs/lighthouse', { name: 'lantern' });
  const group = '/v0.1/orgs/lantern/distribution_groups';
  await send('POST', group, { name: 'Divers' });
  await send('POST', `${group}/Divers/apps`, { apps: [{ name: 'beacon' }] });
  await send('POST', `${group}/Divers/members`, { user_emails: ['grace@example.com', 'tester@example.com'] });
  await app.buryJob();
  const signIn = (secret: string) => app.call('POST', '/v0.1/sessions', { body: { login: 'grace', password: secret } });
  await signIn(password);
  await signIn('a wrong password');
  return { token };
}
