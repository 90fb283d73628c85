import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { receiver, verified } from '../../test-support/webhook-receiver.ts';
import { testConsole } from '../harness/console.ts';
import { createFixtures, subscription } from '../harness/fixtures.ts';
import { createToken, createUser, password, send } from '../harness/http.ts';

const outlets = `/health/subscriptions/${subscription}`;

const { running, url, openAs } = testConsole({ env: { MOORING_OUTBOUND_ALLOW: '127.0.0.1' } });
let token: string;

beforeAll(async () => {
  await createFixtures(running());
  token = (await createToken(running(), { description: 'events' })).api_token;
});

async function publish(trackingId: string, service: string): Promise<void> {
  const properties = {
    eventType: 'ServiceIssue',
    title: `About ${service}`,
    impact: [{ impactedService: service, impactedRegions: [{ impactedRegion: 'North' }] }],
  };
  const address = url(`/providers/Vendor.ResourceHealth/events/${trackingId}?api-version=2024-02-01`);
  const answer = await send('PUT', address, { token, body: { properties } });
  expect(answer.status, answer.text).toBe(201);
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const dialog = (page: Page) => page.getByRole('dialog');
const confirm = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click();

test('creates, tests, replays, disables, edits and deletes a filtered webhook', async () => {
  const { url, received } = await receiver();
  const { page, observed } = await openAs('linus', '/health');
  await page.getByRole('link', { name: 'Webhooks and feeds' }).click();
  await page.getByRole('link', { name: 'Harbour' }).click();
  await page.getByText('No webhooks yet').waitFor();
  await press(page, 'New webhook');
  await page.getByRole('textbox', { name: 'URL' }).fill('http://192.0.2.1/hook');
  await confirm(page, 'Create webhook');
  await dialog(page).getByText('MOORING_OUTBOUND_ALLOW').waitFor();
  await page.getByRole('textbox', { name: 'URL' }).fill(url);
  await page.getByRole('combobox', { name: 'Service' }).fill("Harbour's mail");
  const filter = page.getByLabel('$filter');
  await expect.poll(() => filter.inputValue()).toBe("service eq 'Harbour''s mail'");
  await confirm(page, 'Create webhook');
  const secret = await page.getByLabel('Secret', { exact: true }).inputValue();
  await page.getByText("can't see it again").waitFor();
  await press(page, 'Close');
  await expect.poll(() => page.content()).not.toContain(secret);

  await page.getByRole('link', { name: url }).click();
  await page.getByText('No deliveries yet').waitFor();
  await press(page, 'Send test message');
  await row(page, 'Test').getByText('Delivered').waitFor();
  await row(page, 'Test').getByText('204').waitFor();
  await publish('HOOK-1', 'Search');
  await publish('HOOK-2', "Harbour's mail");
  await expect.poll(() => received.length).toBe(2);
  // Live updates, without a reload.
  await row(page, 'HOOK-2').getByText('Delivered').waitFor();
  await expect.poll(() => row(page, 'HOOK-1').count()).toBe(0);

  await press(page, 'Replay “Published HOOK-2”');
  await confirm(page, 'Replay message');
  await page
    .getByRole('row')
    .filter({ has: page.locator('[class*=Badge]', { hasText: 'Replay' }) })
    .getByText('Delivered')
    .waitFor();
  await expect.poll(() => row(page, 'HOOK-2').count()).toBe(2);
  const [, first, again] = received.map((one) => ({ id: one.headers['webhook-id'], ...verified(one, secret) }));
  expect(first).toMatchObject({ type: 'mooring.health.event.published', subject: 'HOOK-2' });
  expect(again).toEqual(first);
  await page.getByRole('button', { name: 'Attempts of “Published HOOK-2”' }).first().click();
  await dialog(page).getByText(`${first.id}`).waitFor();
  await dialog(page).getByText('204').waitFor();
  await page.keyboard.press('Escape');

  await press(page, 'Disable webhook');
  await confirm(page, 'Disable webhook');
  await page.getByRole('definition').getByText('Disabled').waitFor();
  await expect.poll(() => page.getByRole('button', { name: /^(Send test|Replay)/ }).count()).toBe(0);
  await press(page, 'Enable webhook');
  await confirm(page, 'Enable webhook');
  await page.getByRole('button', { name: 'Send test' }).waitFor();
  await press(page, 'Edit webhook');
  await expect.poll(() => page.getByRole('combobox', { name: 'Service' }).inputValue()).toBe("Harbour's mail");
  await filter.fill("service eq 'Mail' or colour eq 'red'");
  await press(page, 'Save');
  await dialog(page).getByRole('alert').getByText('filter:').waitFor();
  await filter.fill("service eq 'Mail' or service eq 'Search'");
  await page.getByText('Custom filter').waitFor();
  await press(page, 'Save');
  await page.getByText("service eq 'Mail' or service eq 'Search'").waitFor();
  await press(page, 'Rotate secret');
  await confirm(page, 'Rotate secret');
  await expect.poll(() => page.getByLabel('Secret', { exact: true }).inputValue()).not.toBe(secret);
  await press(page, 'Close');
  await press(page, 'Delete webhook');
  await page.getByText('Deletes the secret and the delivery log').waitFor();
  await confirm(page, 'Delete webhook');
  await page.waitForURL(`**${outlets}`);
  await page.getByText('No webhooks yet').waitFor();
  expect(observed).toEqual({ outside: [], complaints: [] });
});

test('explains a webhook that its receiver rejected with 410, and enables it again', async () => {
  const hook = await receiver();
  hook.answerWith((response) => response.writeHead(410).end('nobody home'));
  const { page } = await openAs('linus', outlets);
  await press(page, 'New webhook');
  await page.getByRole('textbox', { name: 'URL' }).fill(hook.url);
  await confirm(page, 'Create webhook');
  await press(page, 'Close');
  await page.getByRole('link', { name: hook.url }).click();
  await press(page, 'Send test message');
  await row(page, 'Test').getByText('Failed').waitFor();
  await row(page, 'Test').getByText('410').waitFor();
  await page.getByRole('button', { name: 'Attempts of test message' }).click();
  await dialog(page).getByText('nobody home').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('its URL responded with status 410').waitFor();
  hook.answerWith((response) => response.writeHead(204).end());
  await press(page, 'Enable webhook');
  await confirm(page, 'Enable webhook');
  await press(page, 'Send test message');
  await row(page, 'Test').getByText('Delivered').waitFor();
  await expect.poll(() => page.getByText('its URL responded with status 410').count()).toBe(0);
});

test('shows feed URLs once, serves them without a session, and rejects them after revocation', async () => {
  const { page, observed } = await openAs('linus', outlets);
  await press(page, 'New feed');
  await page.getByRole('combobox', { name: 'Service' }).fill('Storage');
  await press(page, 'Create feed');
  const atom = await page.getByLabel('Events (Atom)', { exact: true }).inputValue();
  const calendar = await page.getByLabel('Planned maintenance (iCalendar)', { exact: true }).inputValue();
  await press(page, 'Close');
  await expect.poll(() => page.content()).not.toContain(atom.split('/').at(-2));
  const read = async (address: string) => send('GET', url(new URL(address).pathname));
  const events = await read(atom);
  expect([events.status, events.headers['content-type']]).toEqual([200, expect.stringContaining('atom')]);
  expect(events.text).toContain('Storage upgrade in the south');
  expect(events.text).not.toContain('Email delivery delayed in the north');
  expect((await read(calendar)).text).toContain('BEGIN:VEVENT');

  await row(page, "service eq 'Storage'").getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('stop working immediately').waitFor();
  await confirm(page, 'Revoke feed');
  await page.getByText('No feeds yet').waitFor();
  expect([(await read(atom)).status, (await read(calendar)).status]).toEqual([404, 404]);
  expect(observed).toEqual({ outside: [], complaints: [] });
});

test('hides webhooks from users without access, and from other readers', async () => {
  const { page: linus } = await openAs('linus', outlets);
  await press(linus, 'New webhook');
  await linus.getByRole('textbox', { name: 'URL' }).fill('https://hooks.example.com/health');
  await confirm(linus, 'Create webhook');
  await press(linus, 'Close');
  await linus.getByRole('link', { name: 'https://hooks.example.com/health' }).click();
  await linus.getByRole('button', { name: 'Send test' }).waitFor();
  const { pathname } = new URL(linus.url());

  const { page: grace } = await openAs('grace', outlets);
  await grace.getByText('No webhooks yet').waitFor();
  await grace.goto(url(pathname));
  await grace.getByText("Not found, or you don't have access").waitFor();

  const answer = await send('DELETE', url(`/subscriptions/${subscription}/readers/linus?api-version=2024-02-01`), {
    token,
  });
  expect(answer.status, answer.text).toBe(204);
  await linus.goto(url(outlets));
  await linus.getByText("You don't have access to this page").waitFor();
  await expect.poll(() => linus.getByRole('main').getByRole('button', { name: /New/ }).count()).toBe(0);
});

test('edits export credentials, and sends test messages of exports, alert rules and emails', async () => {
  const hook = await receiver();
  const compass = '/users/ada/apps/compass';
  const createSecret = (fill: number) => `whsec_${Buffer.alloc(32, fill).toString('base64')}`;
  const created = await send('POST', url('/v0.1/apps/ada/compass/export_configurations'), {
    token,
    body: { type: 'http', url: hook.url, signing_secret: createSecret(1), backfill: false },
  });
  expect(created.status, created.text).toBe(202);
  const own = `/subscriptions/00000000-0000-4000-8000-00000000ada0?api-version=2024-02-01`;
  const properties = { displayName: 'Of Ada alone', tenantId: '00000000-0000-4000-8000-000000000001', owner: 'ada' };
  const saved = await send('PUT', url(own), { token, body: properties });
  expect(saved.status, saved.text).toBeLessThan(300);

  const { page, observed } = await openAs('ada', `${compass}/exports`);
  const name = `the export to ${new URL(hook.url).host}`;
  const result = page.getByRole('status');
  await press(page, `Edit ${name}`);
  await dialog(page).getByLabel('Signing secret').fill('whsec_short');
  await press(page, 'Test and save export');
  await dialog(page).getByText('Must be whsec_').waitFor();
  await dialog(page).getByLabel('Signing secret').fill(createSecret(2));
  await dialog(page).getByRole('checkbox', { name: 'Crashes' }).check();
  await press(page, 'Test and save export');
  await dialog(page).waitFor({ state: 'detached' });
  await press(page, `Test ${name}`);
  await result.getByText('Wrote a small test object').waitFor();
  // The export itself may send messages in the meantime.
  const check = hook.received.findLast(({ body }) => body.includes('export.check'));
  expect(verified(check ?? { headers: {}, body: '' }, createSecret(2)).type).toBe('export.check');
  hook.answerWith((response) => response.writeHead(503).end('closed today'));
  await press(page, `Test ${name}`);
  await result.getByText('closed today').waitFor();
  await press(page, `Edit ${name}`);
  await expect.poll(() => dialog(page).getByRole('checkbox', { name: 'Crashes' }).isChecked()).toBe(true);
  await page.keyboard.press('Escape');

  await page.goto(url(`${compass}/alerts`));
  await press(page, 'Test Too many crashes');
  await result.getByText('emailed to 1 person, marked as a test').waitFor();
  await press(page, 'Edit Too many crashes');
  await page.getByRole('combobox', { name: 'Health event' }).click();
  await page.getByRole('option', { name: 'Of Ada alone' }).click();
  await press(page, 'Save');
  await dialog(page).waitFor({ state: 'detached' });
  const rules = await send('GET', url('/v0.1/apps/ada/compass/alert_rules'), { token });
  expect(rules.text).toContain('00000000-0000-4000-8000-00000000ada0');

  // The administrator has received many emails, and the server limits them.
  await createUser(running(), token, 'mira');
  const { page: mine } = await openAs('mira', '/settings/notifications', password);
  await press(mine, 'Send test email');
  await mine.getByText('Email is not configured on this server. The test email stays in the outbox.').waitFor();
  expect(observed).toEqual({ outside: [], complaints: [] });
});
