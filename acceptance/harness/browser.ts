import { type Browser, chromium, type Page } from 'playwright-core';
import { findProgram } from '../../tools/programs.mjs';

/** Chromium makes requests of its own unless told not to. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The Chromium to test with: the one that is named, or the first of the usual places. */
export function findChromium(): string {
  const found = findProgram('Chromium');
  if (!found) throw new Error('No Chromium is installed; install it, or name one in MOORING_TEST_CHROMIUM.');
  return found;
}

export const openBrowser = (): Promise<Browser> => chromium.launch({ executablePath: findChromium(), args });

export interface Observed {
  /** Addresses asked for that are not on the page's own server. */
  outside: string[];
  /** Complaints of the page: errors, warnings and refusals by its content policy. */
  complaints: string[];
}

/** Notes what a page does that it should not, from now on. */
export function observe(page: Page, origin: string): Observed {
  const observed: Observed = { outside: [], complaints: [] };
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol !== 'data:' && url.origin !== origin) observed.outside.push(url.href);
  });
  page.on('console', (message) => {
    // Chromium reports every 4xx answer; the tests look at those themselves.
    const isAnswer = message.text().startsWith('Failed to load resource: the server responded with');
    if (['error', 'warning'].includes(message.type()) && !isAnswer) observed.complaints.push(message.text());
  });
  page.on('pageerror', (error) => observed.complaints.push(error.message));
  return observed;
}

/** Signs in without the page for it, which has tests of its own, and goes to the page that is asked for. */
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
  if (!answer.ok()) throw new Error(`${login} cannot sign in: ${answer.status()} ${await answer.text()}`);
  await page.goto(origin + path);
}

/** Lets a file fall into the page, as somebody does who drags it there. */
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
