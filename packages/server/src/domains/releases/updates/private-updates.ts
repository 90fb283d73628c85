import type { Ctx, UserCtx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { randomBase62, sha256 } from '../../../kernel/crypto.ts';
import { badRequest, Failure, notFound, unauthorized } from '../../../kernel/errors.ts';
import { type AppRef, findAppWithSecret, getApp } from '../../apps/index.ts';
import { record } from '../../audit/index.ts';
import { toRelease } from '../releases.ts';
import { findLatestOfMember } from './in-app-updates.store.ts';
import { groupDestination, noReleases, updateAnswer } from './in-app-updates.ts';
import {
  deleteOldUpdateTokens,
  deleteUpdateToken,
  findBundle,
  findLatestOfTester,
  findOwnBuild,
  findUpdateToken,
  findUpdateTokenById,
  insertUpdateToken,
  listGroupsWithBuild,
  listUpdateTokens,
} from './private-updates.store.ts';

/** Longer than an API token, so that neither is ever looked up as the other. */
const TOKEN_LENGTH = 43;
/** Devices of one tester and app; the oldest make room. */
const MOST_TOKENS = 50;

type InApp = Ctx & { app: AppRef };

/** Whose device asks. A token that does not hold makes an SDK have its tester sign in again. */
export async function getTesterOfToken({ db, app }: InApp, token: string | undefined): Promise<{ id: string }> {
  const isOne = token !== undefined && /^[0-9A-Za-z]{43}$/.test(token);
  const user = isOne ? await findUpdateToken.first(db, { hash: sha256(token), appId: app.id }) : undefined;
  if (!user) throw unauthorized();
  return user;
}

/** What an SDK is told of the latest release that its tester has now, by a group or by themselves. */
export async function getLatestPrivate(ctx: InApp, userId: string, udid: string | undefined): Promise<string> {
  const who = { appId: ctx.app.id, userId };
  const [ofMember, ofTester] = [
    await findLatestOfMember.first(ctx.db, who),
    await findLatestOfTester.first(ctx.db, who),
  ];
  if (ofMember && ofMember.id >= (ofTester?.id ?? 0)) {
    return updateAnswer(ctx, toRelease(ofMember), groupDestination(ofMember), udid);
  }
  if (!ofTester) throw noReleases();
  const tester = {
    type: 'tester',
    id: userId,
    name: '',
    displayName: '',
    isPublic: false,
    isMandatory: ofTester.is_mandatory === 1,
    isLatest: true,
  } as const;
  return updateAnswer(ctx, toRelease({ ...ofTester, downloads: 0 }), tester, udid);
}

/** What an SDK wrote into the address of the page that it opened. */
export interface SetupRequest {
  releaseHash: string;
  redirectId: string;
  requestId: string;
  platform: 'Android' | 'iOS';
}

const notInstalledFromHere =
  'This build was not given to you: install the app from its install page, with the account that you sign in with here.';

/** Back into the app: as an intent on Android, and by its own scheme on iOS. */
function redirectTo({ platform, redirectId }: SetupRequest, values: Record<string, string>): string {
  if (platform === 'iOS') return `${redirectId}://?${new URLSearchParams(values)}`;
  const extras = Object.entries(values).map(([name, value]) => `S.${name}=${encodeURIComponent(value)};`);
  return `intent://updates/#Intent;scheme=appcenter;package=${redirectId};${extras.join('')}end`;
}

/** Whoever can choose where the browser goes on would get the token: it goes into packages of this app only. */
async function refuseForeignApp(ctx: Ctx, app: AppRef, secret: string, setup: SetupRequest): Promise<void> {
  const { platform, redirectId } = setup;
  const isOurs =
    platform === 'iOS'
      ? redirectId.toLowerCase() === `appcenter-${secret.toLowerCase()}`
      : /^[\w.]+$/.test(redirectId) && (await findBundle.first(ctx.db, { appId: app.id, bundle: redirectId }));
  if (!isOurs) throw badRequest('The address does not lead back into this app; open the page from the app itself.');
}

export interface Setup {
  isSetUp: boolean;
  redirectUrl: string;
  appName: string;
}

/** Gives the app on a device a token, if whoever signed in was given the build that is installed there. */
export const setUpPrivateUpdates = (ctx: UserCtx, secret: string, setup: SetupRequest): Promise<Setup> =>
  tx(ctx, async (ctx) => {
    const app = await findAppWithSecret(ctx, secret);
    if (!app) throw new Failure('NotFound', 'No app of this server has this secret.', {}, 'not_found');
    await refuseForeignApp(ctx, app, secret, setup);
    const userId = ctx.actor.user.id;
    const build = { appId: app.id, hash: setup.releaseHash.toLowerCase(), userId };
    const given = [...(await listGroupsWithBuild.all(ctx.db, build)), ...(await findOwnBuild.all(ctx.db, build))];
    const found = given.find(({ bundle_identifier }) =>
      setup.platform === 'Android' ? bundle_identifier === setup.redirectId : true,
    );
    const { displayName } = await getApp({ ...ctx, app, permission: 'tester' });
    const common = { request_id: setup.requestId };
    const subject = {
      kind: 'update_token',
      name: `${app.ownerName}/${app.name}`,
      appId: app.id,
      orgId: app.ownerId,
    } as const;
    if (!found) {
      await record(ctx, 'update_token.refuse', { ...subject, id: userId }, { after: { platform: setup.platform } });
      const redirectUrl = redirectTo(setup, { ...common, update_setup_failed: notInstalledFromHere });
      return { isSetUp: false, redirectUrl, appName: displayName };
    }
    const token = randomBase62(TOKEN_LENGTH);
    const row = { id: ctx.newId(), app_id: app.id, user_id: userId, platform: setup.platform };
    await insertUpdateToken.run(ctx.db, { ...row, hash: sha256(token), created_at: ctx.clock.now() });
    await deleteOldUpdateTokens.run(ctx.db, { userId, appId: app.id, kept: MOST_TOKENS });
    await record(ctx, 'update_token.create', { ...subject, id: row.id }, { after: { platform: setup.platform } });
    const values = { ...common, distribution_group_id: found.id, update_token: token };
    return { isSetUp: true, redirectUrl: redirectTo(setup, values), appName: displayName };
  });

export interface UpdateToken {
  id: string;
  platform: string;
  createdAt: number;
  app: { ownerName: string; name: string; displayName: string };
}

export const listOwnUpdateTokens = async ({ db, actor }: UserCtx): Promise<UpdateToken[]> =>
  (await listUpdateTokens.all(db, { userId: actor.user.id })).map((row) => ({
    id: row.id,
    platform: row.platform,
    createdAt: row.created_at,
    app: { ownerName: row.owner_name, name: row.name, displayName: row.display_name },
  }));

export const deleteOwnUpdateToken = (ctx: UserCtx, id: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const which = { userId: ctx.actor.user.id, id };
    const row = await findUpdateTokenById.first(ctx.db, which);
    if (!row) throw notFound('update token', id);
    await deleteUpdateToken.run(ctx.db, which);
    const subject = { kind: 'update_token', id, name: `${row.owner_name}/${row.name}`, appId: row.app_id } as const;
    await record(ctx, 'update_token.delete', subject, { before: { platform: row.platform } });
  });
