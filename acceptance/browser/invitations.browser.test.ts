import { beforeAll, expect, test } from 'vitest';
import { testConsole } from '../harness/console.ts';
import { linkMailedTo } from '../harness/emails.ts';
import { admin } from '../harness/server.ts';

const person = { name: 'grace', email: 'grace@example.com', password: 'staple the battery' };

const { running, url, open, openAs } = testConsole();
let token: string;

async function call(method: string, path: string, body: object, headers: Record<string, string> = {}) {
  const answer = await fetch(url(`/v0.1${path}`), {
    method,
    headers: { 'content-type': 'application/json', ...(token ? { 'x-api-token': token } : {}), ...headers },
    ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
  });
  return answer.status === 204 ? undefined : answer.json();
}

/** Path of the latest link emailed to an address. */
async function linkTo(email: string): Promise<string> {
  const link = await linkMailedTo(running(), token, email);
  return new URL(link ?? '').pathname;
}

beforeAll(async () => {
  token = '';
  const basic = `Basic ${Buffer.from(`${admin.email}:${admin.password}`).toString('base64')}`;
  token = (await call('POST', '/api_tokens', {}, { authorization: basic })).api_token;
  await call('POST', '/admin/users', person);
  await call('POST', '/orgs', { name: 'lighthouse' });
});

test('accepts an invitation by its link after sign-in, once', async () => {
  await call('POST', '/orgs/lighthouse/invitations', { user_email: person.email });
  const path = await linkTo(person.email);
  const { page, observed } = await open();

  await page.goto(url(path));
  await page.getByRole('link', { name: 'Sign in' }).click();
  await expect.poll(() => page.getByLabel('Name or email').inputValue()).toBe(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Accept' }).click();
  await page.getByRole('heading', { name: 'Invitation accepted', exact: true }).waitFor();
  const members = await call('GET', '/orgs/lighthouse/users', {});
  expect(members.map(({ name }: { name: string }) => name)).toEqual(['ada', 'grace']);

  await page.goto(url(path));
  await page.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor();
  expect(observed).toEqual({ outside: [], complaints: [] });
});

test('explains an invitation for another account, and continues after sign-out', async () => {
  await call('POST', '/orgs/lighthouse/invitations', { user_email: 'zoe@example.com' });
  const path = await linkTo('zoe@example.com');
  const { page } = await openAs(person.name, path, person.password);
  await page.getByText('this invitation is for zoe@example.com').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Accept' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Sign out and continue' }).click();
  await page.getByRole('button', { name: 'Create account and accept' }).waitFor();
});

test('accepts an invitation to a distribution group by its link', async () => {
  await call('POST', '/apps', { name: 'compass', display_name: 'Compass', os: 'Android', platform: 'Java' });
  await call('POST', '/apps/ada/compass/distribution_groups', { name: 'Beta divers' });
  const members = '/apps/ada/compass/distribution_groups/Beta%20divers/members';
  await call('POST', members, { user_emails: [person.email] });
  const path = await linkTo(person.email);
  const { page, observed } = await open();

  await page.goto(url(path));
  await page.getByRole('link', { name: 'Sign in' }).click();
  await expect.poll(() => page.getByLabel('Name or email').inputValue()).toBe(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Accept' }).click();
  await page.waitForURL(url('/install/users/ada/apps/compass'));
  await page.getByText('No releases yet').waitFor();
  expect(await call('GET', members, {})).toMatchObject([{ name: 'grace', invite_pending: false }]);
  expect(observed).toEqual({ outside: [], complaints: [] });
});

test('redirects a tester from the overview of an app to its install page', async () => {
  const { page, observed } = await openAs(person.name, '/users/ada/apps/compass', person.password);
  await page.waitForURL(url('/install/users/ada/apps/compass'));
  await page.getByRole('heading', { name: 'Compass' }).first().waitFor();
  expect(observed).toEqual({ outside: [], complaints: [] });
});

test("explains that the collaborators group can't be edited", async () => {
  const { page, observed } = await openAs(admin.name, '/users/ada/apps/compass/groups/Collaborators', admin.password);
  await page.getByText("Members are the app's collaborators").waitFor();
  await page.getByRole('cell', { name: admin.email }).waitFor();
  for (const name of ['Edit group', 'Delete group', 'Add people', `Remove ${admin.email}`]) {
    await expect.poll(() => page.getByRole('button', { name, exact: true }).count(), { message: name }).toBe(0);
  }
  await page.goto(url('/users/ada/apps/compass/groups/Beta%20divers'));
  for (const name of ['Edit group', 'Delete group', 'Add people', `Remove ${person.email}`]) {
    await page.getByRole('button', { name, exact: true }).waitFor();
  }
  expect(observed).toEqual({ outside: [], complaints: [] });
});
