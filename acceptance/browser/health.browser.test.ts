import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { testConsole } from '../harness/console.ts';
import { createFixtures, subscription } from '../harness/fixtures.ts';
import { admin } from '../harness/server.ts';

const title = 'Sign-in fails in the east';

const { running, url, openAs } = testConsole();

beforeAll(async () => void (await createFixtures(running())));

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const events = (page: Page) => page.getByRole('table', { name: 'Events' });

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name: option }).click();
}

async function publish(page: Page): Promise<string> {
  await page.getByRole('link', { name: 'Publish event' }).click();
  await page.getByLabel('Title').fill(title);
  await choose(page, 'Level', 'Critical');
  const id = await page.getByLabel('Tracking ID').inputValue();
  await page.getByLabel('Summary').fill('Nobody can sign in.');
  await page.getByLabel('Service 1').fill('Identity');
  await page.getByLabel('Region 1').fill("L'Est");
  await press(page, 'Add row');
  await page.getByLabel('Region 2').fill('West');
  await page.getByRole('radio', { name: 'Selected subscriptions and tenants' }).check();
  await press(page, 'Publish event');
  await page.getByText('Select a subscription or a tenant').waitFor();
  const others = page.getByRole('combobox', { name: 'Other subscriptions' });
  await others.fill(subscription);
  await others.press('Enter');
  await press(page, 'Publish event');
  await page.waitForURL(`**/health/events/${id}`);
  return id;
}

test('publishes, updates, resolves and withdraws an event that a subscriber follows', async () => {
  const { page: operator, observed } = await openAs('grace', '/health');
  const id = await publish(operator);
  await operator.getByRole('heading', { name: title, level: 1 }).waitFor();

  const { page: reader, observed: seen } = await openAs('linus', `/health?subscription=${subscription}`);
  await events(reader).getByRole('link', { name: title }).waitFor();
  await expect.poll(() => reader.getByRole('link', { name: 'Publish event' }).count()).toBe(0);
  await press(reader, 'Filter');
  await reader.getByRole('menuitem', { name: 'Region' }).click();
  const region = reader.getByRole('combobox', { name: 'Region' });
  await region.fill("l'est");
  await region.press('Enter');
  await press(reader, 'Filter');
  await reader.getByRole('menuitem', { name: 'Active' }).click();
  await reader.getByText("$filter=region eq 'l''est' and status eq 'Active'").waitFor();
  await row(reader, 'Email delivery delayed in the north').waitFor({ state: 'detached' });
  await expect.poll(() => events(reader).getByRole('link').allTextContents()).toEqual([title]);
  await reader.reload();
  await events(reader).getByRole('link', { name: title }).waitFor();

  await reader.getByRole('radiogroup', { name: 'View' }).getByText('Timeline', { exact: true }).click();
  const bar = row(reader, "L'Est").getByRole('button', { name: new RegExp(`Critical: ${title}`) });
  await bar.focus();
  await reader.getByRole('link', { name: title }).click();
  await reader.waitForURL(`**/health/events/${id}?subscription=${subscription}`);
  await row(reader, "L'Est").getByText('Active').waitFor();
  await expect.poll(() => reader.getByRole('button', { name: /Update|Resolve|Withdraw/ }).count()).toBe(0);

  await operator.getByRole('button', { name: "Update Identity, L'Est" }).click();
  await operator.getByRole('textbox', { name: 'Update' }).fill('People sign in again.');
  await choose(operator, 'Region status', 'Resolved');
  await press(operator, 'Publish update');
  await row(operator, "L'Est").getByText('Resolved').waitFor();
  await press(operator, 'Resolve event');
  await operator.getByRole('dialog').getByRole('button', { name: 'Resolve' }).click();
  await row(operator, 'West').getByText('Resolved').waitFor();

  await reader.reload();
  await row(reader, 'West').getByText('Resolved').waitFor();
  const updates = reader.getByRole('listitem').filter({ hasText: 'sign in' });
  await expect
    .poll(async () => (await updates.allTextContents()).map((text) => text.includes('People sign in again.')))
    .toEqual([true, false]);

  await press(operator, 'Withdraw event');
  await operator.getByText('is deleted for all readers').waitFor();
  await operator.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
  await operator.waitForURL('**/health');
  await row(operator, 'Email delivery delayed in the north').waitFor();
  await expect.poll(() => row(operator, title).count()).toBe(0);
  await reader.reload();
  await reader.getByText("Not found, or you don't have access").waitFor();
  expect([observed, seen]).toEqual(Array(2).fill({ outside: [], complaints: [] }));
});

test('shows an article in a frame without scripts', async () => {
  const { page, observed } = await openAs('linus', `/health/events/TIDE-001?subscription=${subscription}`);
  const article = page.frameLocator('iframe[title=Article]');
  await article.getByRole('heading', { name: 'What happened' }).waitFor();
  expect(await page.getByTitle('Article', { exact: true }).getAttribute('sandbox')).not.toMatch(/scripts|same-origin/);
  expect(observed).toEqual({ outside: [], complaints: [] });
});

test('denies publishing to users who are not operators, also by API', async () => {
  const { page } = await openAs('linus', '/health/publish');
  await page.getByText("You don't have access to this page").waitFor();
  const status = await page.evaluate(async () => {
    const address = '/providers/Vendor.ResourceHealth/events/TIDE-001?api-version=2024-02-01';
    return (await fetch(address, { method: 'DELETE' })).status;
  });
  expect(status).toBe(403);
});

test('creates, edits, shares and deletes a subscription, and manages operators', async () => {
  const { page, observed } = await openAs(admin.name, '/admin/subscriptions');
  await press(page, 'New subscription');
  await page.getByLabel('Name', { exact: true }).fill('Quay');
  await page.getByLabel('Owner').fill('nobody-here');
  await press(page, 'Create subscription');
  await page.getByRole('alert').getByText('nobody-here').waitFor();
  await page.getByLabel('Owner').fill('lighthouse');
  await press(page, 'Create subscription');
  await page.getByRole('heading', { name: 'Quay' }).waitFor();
  await press(page, 'Edit subscription');
  await page.getByLabel('Name', { exact: true }).fill('Long quay');
  await press(page, 'Save');
  await page.getByRole('heading', { name: 'Long quay' }).waitFor();
  await page.getByLabel('User to add').fill('linus');
  await press(page, 'Add');
  await press(page, 'Remove Linus Torvalds');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('No readers yet').waitFor();
  await press(page, 'Delete subscription');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL('**/admin/subscriptions');
  await row(page, 'Harbour').waitFor();
  await expect.poll(() => row(page, 'Long quay').count()).toBe(0);

  await page.getByRole('link', { name: 'Health operators' }).click();
  await page.getByLabel('User to add').fill('linus');
  await press(page, 'Add');
  await press(page, 'Remove Linus Torvalds');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await row(page, 'Linus Torvalds').waitFor({ state: 'detached' });
  await row(page, 'Grace Hopper').waitFor();
  expect(observed).toEqual({ outside: [], complaints: [] });
});

/** Collects all status messages of the page from now on. */
const announcementsOn = (page: Page) =>
  page.evaluateHandle(() => {
    const announced: string[] = [];
    const note = () => announced.push(document.querySelector('main [role=status]')?.textContent ?? '');
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
    return announced;
  });

test('imports a file with progress and a report of rejected events', async () => {
  const good = (name: string) => ({ name, properties: { eventType: 'HealthAdvisory', title: `About ${name}` } });
  const value: object[] = Array.from({ length: 2000 }, (_, at) => good(`OLD-${at}`));
  value.splice(700, 0, { name: 'BAD-1', properties: { eventType: 'HealthAdvisory' } }, { properties: {} });
  const { page, observed } = await openAs('grace', '/health');
  await page.getByRole('link', { name: 'Import' }).click();
  const importFile = async (name: string, content: string) => {
    const choosing = page.waitForEvent('filechooser');
    await press(page, 'Choose file');
    await (await choosing).setFiles({ name, mimeType: 'application/json', buffer: Buffer.from(content) });
    await press(page, 'Import events');
  };
  await importFile('hello.json', 'hello');
  await page.getByRole('alert').getByText('Send a page of events').waitFor();

  const announced = await announcementsOn(page);
  await importFile('events.json', JSON.stringify({ value }));
  await page.getByRole('heading', { name: 'Report' }).waitFor({ timeout: 60_000 });
  expect(await announced.jsonValue()).toContainEqual(expect.stringMatching(/^\d.* read, \d.* new, .* rejected\.$/));
  await page.getByRole('definition').filter({ hasText: '2,002' }).waitFor();
  await row(page, 'BAD-1').getByText('properties.title is missing').waitFor();
  await row(page, 'No. 702').getByText('name is missing').waitFor();
  const downloading = page.waitForEvent('download');
  await press(page, 'Download report');
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('events.report.json');
  const report = JSON.parse(readFileSync(await download.path(), 'utf8'));
  expect(report).toMatchObject({ imported: 2000, refusedCount: 2, refused: [{ index: 700 }, { index: 701 }] });

  await importFile('again.ndjson', `${JSON.stringify(value[0])}\n${JSON.stringify(value[1])}\n`);
  await page.getByText('All events of the file were imported').waitFor();
  await page.getByRole('link', { name: 'Service health' }).first().click();
  await events(page).waitFor();
  expect(observed).toEqual({ outside: [], complaints: [] });

  const { page: reader } = await openAs('linus', '/health');
  await events(reader).waitFor();
  await expect.poll(() => reader.getByRole('link', { name: 'Import' }).count()).toBe(0);
  await reader.goto(url('/health/import'));
  await reader.getByText("You don't have access to this page").waitFor();
});
