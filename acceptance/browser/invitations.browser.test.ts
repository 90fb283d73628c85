import { beforeAll, expect, test } from 'vitest';
import { testConsole } from '../harness/console.ts';
import { linkMailedTo } from '../harness/mails.ts';
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

/** The path of the newest link that was mailed to somebody. */
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

test('the link of an invitation leads through sign-in to a page that accepts it, once', async () => {
  await call('POST', '/orgs/lighthouse/invitations', { user_email: person.email });
  const path = await linkTo(person.email);
  const { page, observed } = await open();

  await page.goto(url(path));
  await page.getByRole('link', { name: 'Sign in' }).click();
  await expect.poll(() => page.getByLabel('Name or e-mail').inputValue()).toBe(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Accept' }).click();
  await page.getByRole('heading', { name: 'You are in', exact: true }).waitFor();
  const members = await call('GET', '/orgs/lighthouse/users', {});
  expect(members.map(({ name }: { name: string }) => name)).toEqual(['ada', 'grace']);

  await page.goto(url(path));
  await page.getByRole('heading', { name: 'This invitation is not open' }).waitFor();
  expect(observed).toEqual({ outside: [], complaints: [] });
});

test('an invitation of somebody else says so, and can be gone on with after signing out', async () => {
  await call('POST', '/orgs/lighthouse/invitations', { user_email: 'zoe@example.com' });
  const path = await linkTo('zoe@example.com');
  const { page } = await openAs(person.name, path, person.password);
  await page.getByText('only zoe@example.com can answer').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Accept' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Sign out and go on' }).click();
  await page.getByRole('button', { name: 'Create the account and accept' }).waitFor();
});

test('the link of an invitation to a distribution group leads to a page that accepts it', async () => {
  await call('POST', '/apps', { name: 'compass', display_name: 'Compass', os: 'Android', platform: 'Java' });
  await call('POST', '/apps/ada/compass/distribution_groups', { name: 'Beta divers' });
  const members = '/apps/ada/compass/distribution_groups/Beta%20divers/members';
  await call('POST', members, { user_emails: [person.email] });
  const path = await linkTo(person.email);
  const { page, observed } = await open();

  await page.goto(url(path));
  await page.getByRole('link', { name: 'Sign in' }).click();
  await expect.poll(() => page.getByLabel('Name or e-mail').inputValue()).toBe(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Accept' }).click();
  await page.getByRole('heading', { name: 'You are in', exact: true }).waitFor();
  expect(await call('GET', members, {})).toMatchObject([{ name: 'grace', invite_pending: false }]);
  expect(observed).toEqual({ outside: [], complaints: [] });
});

test('a tester who opens the overview of an app lands on its install page', async () => {
  const { page, observed } = await openAs(person.name, '/users/ada/apps/compass', person.password);
  await page.waitForURL(url('/install/users/ada/apps/compass'));
  await page.getByRole('heading', { name: 'Compass' }).first().waitFor();
  expect(observed).toEqual({ outside: [], complaints: [] });
});

test('the group of collaborators offers no change, and says why', async () => {
  const { page, observed } = await openAs(admin.name, '/users/ada/apps/compass/groups/Collaborators', admin.password);
  await page.getByText("Members follow the app's collaborators.").waitFor();
  await page.getByRole('cell', { name: admin.email }).waitFor();
  for (const name of ['Change', 'Delete', 'Add people', `Remove ${admin.email}`]) {
    await expect.poll(() => page.getByRole('button', { name, exact: true }).count(), { message: name }).toBe(0);
  }
  await page.goto(url('/users/ada/apps/compass/groups/Beta%20divers'));
  for (const name of ['Change', 'Delete', 'Add people', `Remove ${person.email}`]) {
    await page.getByRole('button', { name, exact: true }).waitFor();
  }
  expect(observed).toEqual({ outside: [], complaints: [] });
});
