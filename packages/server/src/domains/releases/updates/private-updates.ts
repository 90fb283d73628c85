import type { Ctx, UserCtx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { randomBase62, sha256 } from '../../../kernel/crypto/crypto.ts';
import { badRequest, Failure, notFound, unauthorized } from '../../../kernel/errors.ts';
import { type AppRef, findAppWithSecret, getApp } from '../../apps/index.ts';
import { record } from '../../audit/index.ts';
import { toRelease } from '../releases.ts';
import { findLatestForMember } from './in-app-updates.store.ts';
import { buildUpdateResponse, groupDestination, noReleases } from './in-app-updates.ts';
import {
  deleteOldUpdateTokens,
  deleteUpdateToken,
  findBundle,
  findLatestForTester,
  findOwnBuild,
  findUpdateToken,
  findUpdateTokenById,
  insertUpdateToken,
  listGroupsWithBuild,
  listUpdateTokens,
} from './private-updates.store.ts';

/** Longer than an API token, so that neither is ever looked up as the other. */
const TOKEN_LENGTH = 43;
/** Maximum number of tokens per tester and app; the oldest are deleted. */
const MAX_TOKENS = 50;

type InApp = Ctx & { app: AppRef };

/** Finds the tester of an update token. An invalid token makes the SDK ask its tester to sign in again. */
export async function getTesterByToken({ db, app }: InApp, token: string | undefined): Promise<{ id: string }> {
  const isOne = token !== undefined && /^[0-9A-Za-z]{43}$/.test(token);
  const user = isOne ? await findUpdateToken.first(db, { hash: sha256(token), appId: app.id }) : undefined;
  if (!user) throw unauthorized();
  return user;
}

/** Builds the response about the latest release that the tester has, through a group or directly. */
export async function getLatestPrivate(ctx: InApp, userId: string, udid: string | undefined): Promise<string> {
  const who = { appId: ctx.app.id, userId };
  const [ofMember, ofTester] = [
    await findLatestForMember.first(ctx.db, who),
    await findLatestForTester.first(ctx.db, who),
  ];
  if (ofMember && ofMember.id >= (ofTester?.id ?? 0)) {
    return buildUpdateResponse(ctx, toRelease(ofMember), groupDestination(ofMember), udid);
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
  return buildUpdateResponse(ctx, toRelease({ ...ofTester, downloads: 0 }), tester, udid);
}

/** Parameters that the SDK sends in the URL of the setup page. */
export interface SetupRequest {
  releaseHash: string;
  redirectId: string;
  requestId: string;
  platform: 'Android' | 'iOS';
}

const notInstalledFromHere =
  'This build was not distributed to you. Install it from its install page with this account.';

/** Builds the redirect to the app: an intent on Android, a custom scheme on iOS. */
function redirectTo({ platform, redirectId }: SetupRequest, values: Record<string, string>): string {
  if (platform === 'iOS') return `${redirectId}://?${new URLSearchParams(values)}`;
  const extras = Object.entries(values).map(([name, value]) => `S.${name}=${encodeURIComponent(value)};`);
  return `intent://updates/#Intent;scheme=appcenter;package=${redirectId};${extras.join('')}end`;
}

/** The redirect carries the token, so it may only lead to packages of this app. */
async function refuseForeignApp(ctx: Ctx, app: AppRef, secret: string, setup: SetupRequest): Promise<void> {
  const { platform, redirectId } = setup;
  const isOurs =
    platform === 'iOS'
      ? redirectId.toLowerCase() === `appcenter-${secret.toLowerCase()}`
      : /^[\w.]+$/.test(redirectId) && (await findBundle.first(ctx.db, { appId: app.id, bundle: redirectId }));
  if (!isOurs) throw badRequest('The redirect does not lead back to this app. Open this page from the app.');
}

export interface Setup {
  isSetUp: boolean;
  redirectUrl: string;
  appName: string;
}

/** Issues an update token to the app on a device, if the signed-in user has the installed build. */
export const setUpPrivateUpdates = (ctx: UserCtx, secret: string, setup: SetupRequest): Promise<Setup> =>
  tx(ctx, async (ctx) => {
    const app = await findAppWithSecret(ctx, secret);
    if (!app) throw new Failure('NotFound', 'No app on this server has this app secret.', {}, 'not_found');
    await refuseForeignApp(ctx, app, secret, setup);
    const userId = ctx.actor.user.id;
    const build = { appId: app.id, hash: setup.releaseHash.toLowerCase(), userId };
    const distributed = [...(await listGroupsWithBuild.all(ctx.db, build)), ...(await findOwnBuild.all(ctx.db, build))];
    const found = distributed.find(({ bundle_identifier }) =>
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
    await deleteOldUpdateTokens.run(ctx.db, { userId, appId: app.id, maxTokens: MAX_TOKENS });
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
