import { type Browser, chromium, type Page } from 'playwright-core';
import { findProgram } from '../tools/programs.mjs';

/** Chromium sends background requests unless they are turned off. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The Chromium to test with: from the environment variable, or the first of the usual paths. */
export function findChromium(): string {
  const found = findProgram('Chromium');
  if (!found) throw new Error('Chromium was not found. Install it, or set MOORING_TEST_CHROMIUM to its path.');
  return found;
}

export const openBrowser = (): Promise<Browser> => chromium.launch({ executablePath: findChromium(), args });

export interface Observed {
  /** Requested URLs that are not on the page's own server. */
  outside: string[];
  /** Console errors, warnings and violations of the content security policy. */
  complaints: string[];
}

/** Records unwanted behavior of a page from now on. */
export function observe(page: Page, origin: string): Observed {
  const observed: Observed = { outside: [], complaints: [] };
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol !== 'data:' && url.origin !== origin) observed.outside.push(url.href);
  });
  page.on('console', (message) => {
    // Chromium logs all 4xx responses; the tests check those themselves.
    const isAnswer = message.text().startsWith('Failed to load resource: the server responded with');
    if (['error', 'warning'].includes(message.type()) && !isAnswer) observed.complaints.push(message.text());
  });
  page.on('pageerror', (error) => observed.complaints.push(error.message));
  return observed;
}

/** Signs in without the sign-in page, which has its own tests, and opens a page. */
export async function signIn(
  page: Page,
  {
    origin,
    login,
    password,
    path = '/',
  }: { origin: string; login: string; password: string; path?: string | undefined },
): Promise<void> {
  const answer = await page.context().request.post(`${origin}/v0.1/sessions`, {
    data: { login, password },
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  if (!answer.ok()) throw new Error(`${login} can't sign in: ${answer.status()} ${await answer.text()}`);
  await page.goto(origin + path);
}

/** Drops a file on the page, as a user who drags it. */
export async function drop(page: Page, name: string, bytes: Uint8Array): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([name, bytes]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(bytes)], name));
      return transfer;
    },
    [name, [...bytes]] as const,
  );
  await page.getByTestId('drop').dispatchEvent('drop', { dataTransfer });
}
