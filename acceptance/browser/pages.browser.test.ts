import { beforeAll, describe, expect, test } from 'vitest';
import { findingsInBoth } from '../harness/axe.ts';
import { admin } from '../harness/server.ts';
import { claim, pageWalk, phone, WALK, wide } from './page-walk.ts';
import { adminPages, frontPages, healthPages, homePages, orgPages } from './pages.ts';

const { page, fixtures, signIn, open, walk } = pageWalk();

test(`every page before signing in ${claim}`, { timeout: WALK }, () => walk(frontPages));

describe('signed in', () => {
  beforeAll(() => signIn(admin.name));

  test(`every page of the home area and of the user's account ${claim}`, { timeout: WALK }, () => walk(homePages));
  test(`every page of an organization ${claim}`, { timeout: WALK }, () => walk(orgPages));
  test(`every page of the administration ${claim}`, { timeout: WALK }, () => walk(adminPages));
  test(`every page of service health ${claim}`, { timeout: WALK }, () => walk(healthPages(fixtures())));

  test.each([
    ['the New menu', wide, 'New', 'menu'],
    ['the account menu', wide, / menu$/, 'menu'],
    ['the menu of organizations', wide, 'Switch organization', 'dialog'],
    ['the command palette', wide, 'Search', 'dialog'],
    ['the command palette on a phone', phone, 'Search', 'dialog'],
    ['the sidebar on a phone', phone, /Members/, 'dialog'],
  ] as const)('%s has no axe findings, and closes on Escape', async (_, screen, button, role) => {
    await page().setViewportSize(screen);
    await open('/orgs/lighthouse/people', 'Members');
    await page().getByRole('banner').getByRole('button', { name: button }).click();
    await page().getByRole(role).waitFor();
    expect(await findingsInBoth(page())).toEqual([]);
    await page().keyboard.press('Escape');
    await page().getByRole(role).waitFor({ state: 'detached' });
  });
});
