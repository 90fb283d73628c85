import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { type Observed, observe, openBrowser, signIn } from '../../test-support/browser.ts';
import { password } from './http.ts';
import { type RunningServer, type ServerSettings, startServer } from './server.ts';

export interface Opened {
  page: Page;
  observed: Observed;
}

/** A server and a browser that all tests of a file share. Available once the tests run. */
export function testConsole(settings: ServerSettings = {}) {
  let server: RunningServer;
  let browser: Browser;

  beforeAll(async () => {
    const starting = startServer(settings).then((started) => {
      server = started;
    });
    browser = await openBrowser();
    await starting;
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  /** A page in a new browser context, until the file ends. */
  async function keepOpen(): Promise<Opened> {
    // No test checks animations, and all would wait for them.
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    return { page, observed: observe(page, server.httpUrl) };
  }

  /** The same until the test ends. */
  async function open(): Promise<Opened> {
    const opened = await keepOpen();
    onTestFinished(() => opened.page.context().close());
    return opened;
  }

  const enter = (page: Page, name: string, path?: string, secret = password) =>
    signIn(page, { origin: server.httpUrl, login: name, password: secret, path });

  return {
    running: () => server,
    url: (path = '') => server.httpUrl + path,
    keepOpen,
    open,
    /** Signs a user in, and opens a page. */
    enter,
    openAs: async (name: string, path?: string, secret?: string): Promise<Opened> => {
      const opened = await open();
      await enter(opened.page, name, path, secret);
      return opened;
    },
  };
}
