import { COMMAND_LINE_CLIENT, DEVICE_GRANT } from '@mooring/contract';
import { expect, test } from 'vitest';
import { password, testApp } from '../../../test/harness/app.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import { TOKEN } from '../../../test/harness/services/oauth.ts';
import {
  addProvider,
  allowsLoopback,
  openCookieBrowser,
  signInProvider,
} from '../../../test/harness/sign-in-provider.ts';

/** Attacks across several parts of this domain; those on one part are tested beside it. */
eachDatabase('attacks on sign-in', (dialect) => {
  test('linking an account replaces the session that an attacker may have planted', async () => {
    const app = await testApp(dialect, allowsLoopback);
    const provider = await signInProvider(app);
    await addProvider(app, provider);
    for (const name of ['grace', 'mallory']) await app.addUser(name);
    const browser = openCookieBrowser(app);
    await browser.send('POST', '/v0.1/sessions', { login: 'mallory', password });
    const planted = browser.cookies.get('mooring_session') ?? '';
    expect(await browser.signIn(provider)).toBe('/link-account');
    await browser.send('POST', '/v0.1/sign_in/link', { login: 'grace', password });
    expect(await browser.whoAmI()).toBe('grace');
    expect(browser.cookies.get('mooring_session')).not.toBe(planted);
    const attacker = openCookieBrowser(app);
    attacker.cookies.set('mooring_session', planted);
    expect(await attacker.whoAmI()).toBeUndefined();
  });

  test('everything of a deactivated person ends on every process, also if it was cached', async () => {
    const app = await testApp(dialect, allowsLoopback);
    const provider = await signInProvider(app);
    await addProvider(app, provider, { createsAccounts: true });
    const admin = await app.userToken(await app.addUser('ada', { isAdmin: true }));
    const browser = openCookieBrowser(app);
    expect(await browser.signIn(provider)).toBe('/');
    const name = await browser.whoAmI();
    const body = { client_id: COMMAND_LINE_CLIENT };
    const { device_code, user_code } = (await app.call('POST', '/common/oauth2/devicecode', { body })).json();
    await browser.send('POST', '/v0.1/oauth/device_sign_in', { user_code, is_allowed: true });
    const redeemed = await app.call('POST', TOKEN, { body: { ...body, grant_type: DEVICE_GRANT, device_code } });
    const token: string = redeemed.json().access_token;
    const other = await app.another();
    const cookie = [...browser.cookies].map(([key, value]) => `${key}=${value}`).join('; ');
    const statuses = async () => {
      const credentials = [{ cookie }, { 'x-api-token': token }];
      const calls = [app, other].flatMap(({ http }) =>
        credentials.map((headers) => http.inject({ method: 'GET', url: '/v0.1/user', headers })),
      );
      return (await Promise.all(calls)).map(({ statusCode }) => statusCode);
    };
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    const people = (await app.call('GET', `/v0.1/admin/users?search=${name}`, { token: admin })).json();
    const { id } = (people.values ?? people).find((person: { name: string }) => person.name === name);
    const disabled = { token: admin, body: { is_disabled: true } };
    expect((await app.call('PATCH', `/v0.1/admin/users/${id}`, disabled)).statusCode).toBe(200);
    expect(await statuses()).toEqual([401, 401, 401, 401]);
    expect(await browser.signIn(provider)).toBe('/sign-in?problem=disabled');
  });
});
