import type { Ctx } from '../../../context.ts';
import { Failure } from '../../../kernel/errors.ts';
import { getResponseUrl } from '../../../kernel/response-url.ts';
import { getAppRef } from '../../apps/index.ts';
import { findReleaseForTester } from '../releases.store.ts';
import { findRelease, type Release } from '../releases.ts';
import { installLinks, readUserDownload, type UserDownload } from './install-links.ts';
import type { NoteInstall } from './install-notes.ts';
import type { InstallRow } from './install-rows.ts';
import { findAppReader, findInstallGroup } from './tester-installs.store.ts';

/** True if the release was distributed to the user, or they can view the app. */
export async function canInstall(
  { db }: Pick<Ctx, 'db'>,
  { appId, releaseId, userId }: UserDownload,
): Promise<boolean> {
  const found =
    (await findReleaseForTester.first(db, { appId, userId, id: releaseId })) ??
    (await findAppReader.first(db, { appId, userId }));
  return found !== undefined;
}

/** The install that a download by a user counts as. */
export async function toInstall(ctx: Ctx, { appId, releaseId, userId }: UserDownload): Promise<InstallRow> {
  const group = await findInstallGroup.first(ctx.db, { appId, releaseId, userId });
  return {
    address: ctx.origin?.address ?? '',
    app_id: appId,
    release_id: releaseId,
    group_id: group?.id ?? '',
    installer: userId,
    isUser: true,
  };
}

async function findEnabledRelease(ctx: Ctx, { appId, releaseId }: UserDownload): Promise<Release | undefined> {
  try {
    const release = await findRelease({ ...ctx, app: await getAppRef(ctx, appId) }, releaseId);
    return release?.isEnabled ? release : undefined;
  } catch (error) {
    if (error instanceof Failure && error.code === 'NotFound') return undefined;
    throw error;
  }
}

/** Returns the URL of the file; of the list of apps if the user has lost access or the link has expired. */
export async function openUserDownload(ctx: Ctx, link: string, noteInstall: NoteInstall): Promise<string> {
  const download = readUserDownload(ctx, link);
  const release = download && (await canInstall(ctx, download)) && (await findEnabledRelease(ctx, download));
  if (!download || !release) return `${getResponseUrl(ctx)}/install/`;
  noteInstall(await toInstall(ctx, download));
  return installLinks(ctx, download.appId, release).downloadUrl;
}
