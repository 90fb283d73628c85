import { beforeAll, expect, test } from 'vitest';
import { observe, openBrowser } from '../../test-support/browser.ts';
import { png } from '../../tools/samples/images.ts';
import { testConsole } from '../harness/console.ts';
import { createFixtures } from '../harness/fixtures.ts';
import { admin } from '../harness/server.ts';

const { running, url, openAs } = testConsole();
const inbox = '/users/ada/apps/compass/feedback';
const installPage = '/install/users/ada/apps/compass/distribution_groups/Beta%20divers';
/** The server draws pictures in a separate process; slow on a busy machine. */
const PROCESSED = { timeout: 60_000 };

beforeAll(async () => {
  await createFixtures(running());
});

test('a tester writes from a phone without account or scripts; a developer reads, assigns, answers and closes it', async () => {
  const browser = await openBrowser();
  try {
    const phone = await browser.newContext({ viewport: { width: 360, height: 740 }, javaScriptEnabled: false });
    const form = await phone.newPage();
    const seen = observe(form, url());
    await form.goto(url(installPage));
    await form.getByRole('link', { name: 'Send feedback' }).click();
    await form.getByLabel('What happened').fill('The <b>needle</b> is stuck.');
    await form.getByLabel('Your email').fill('phone@example.org');
    await form.getByLabel('Pictures').setInputFiles({ name: 'stuck.png', mimeType: 'image/png', buffer: png(30, 60) });
    expect(await form.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    await form.getByRole('button', { name: 'Send feedback' }).click();
    await form.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(seen).toEqual({ outside: [], complaints: [] });
  } finally {
    await browser.close();
  }

  const { page, observed } = await openAs(admin.name, inbox, admin.password);
  await page.getByRole('link', { name: 'The <b>needle</b> is stuck.' }).click();
  await page.getByRole('heading', { name: 'Feedback from phone@example.org' }).waitFor();
  const picture = page.getByRole('img', { name: '1 of 1 sent with the message' });
  await picture.waitFor(PROCESSED);
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalHeight), PROCESSED).toBe(60);
  await page.getByLabel('Reply by email').fill('It moves again in the next version.');
  await page.getByRole('button', { name: 'Send reply' }).click();
  await page.getByText('It moves again in the next version.').first().waitFor();
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Closed' }).click();
  await page.goto(url(`${inbox}?state=closed`));
  await page.getByRole('link', { name: 'The <b>needle</b> is stuck.' }).waitFor();
  expect(observed).toEqual({ outside: [], complaints: [] });
});
