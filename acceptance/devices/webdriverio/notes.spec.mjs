import assert from 'node:assert/strict';
import { browser } from '@wdio/globals';

const page =
  'data:text/html,<title>Notes</title><input id=text><button onclick="list.append(text.value)">Add</button><p id=list></p>';

describe('Notes', () => {
  beforeEach(() => browser.url(page));

  it('is opened by a phone', async () => {
    const [width, agent] = await browser.execute(() => [screen.width, navigator.userAgent]);
    assert.equal(width, 412);
    assert.match(agent, /Pixel 8/);
  });

  it('keeps what is typed', async () => {
    await browser.$('#text').setValue('milk');
    await browser.$('button').click();
    assert.equal(await browser.$('#list').getText(), 'milk');
  });

  it('is red on purpose', async () => {
    assert.equal(await browser.getTitle(), 'Other');
  });

  // biome-ignore lint/suspicious/noSkippedTests: the report must show a skipped test.
  it.skip('is skipped', () => undefined);
});
