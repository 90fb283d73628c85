import { test } from 'vitest';
import { admin } from '../harness/server.ts';
import { claim, pageWalk, WALK } from './page-walk.ts';
import { appPages } from './pages.ts';

const { fixtures, signIn, walk } = pageWalk();

test(`every page of an app ${claim}`, { timeout: WALK }, async () => {
  await signIn(admin.name);
  await walk(appPages(fixtures()));
});
