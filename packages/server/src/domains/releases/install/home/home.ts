import type { Ctx } from '../../../../context.ts';
import { findOrgGrant } from '../../../accounts/index.ts';
import { findSharedGroup } from '../../../groups/index.ts';
import { listUserDeviceRows } from '../../devices/devices.store.ts';
import { listSharedGroupApps, listTesterApps, type TesterApp } from '../../releases.ts';
import { installLinks } from '../install-links.ts';
import { drawNothingToInstall } from '../install-page.ts';
import { type ShownPage, shownPage } from '../shown-page.ts';
import { listTesterInstalls } from '../tester-installs.store.ts';
import { toVisitor } from '../visitor-system.ts';
import { findOrgId, findTester } from './home.store.ts';
import { drawHome, drawSignIn, type ShelfApp } from './home-page.ts';

const HOME = '/install/';

const appPath = ({ owner, name }: TesterApp['app']): string =>
  `/install/${owner.kind === 'org' ? 'orgs' : 'users'}/${encodeURIComponent(owner.name)}/apps/${encodeURIComponent(name)}`;

interface Shelf {
  title: string;
  apps: TesterApp[];
  /** Follows the path of an app: `/distribution_groups/…` on the page of a group. */
  suffix?: string;
}

async function drawShelf(ctx: Ctx, { title, apps, suffix = '' }: Shelf): Promise<ShownPage> {
  const user = ctx.actor.kind === 'user' ? ctx.actor.user : undefined;
  const installs = user ? await listTesterInstalls.all(ctx.db, { userId: user.id }) : [];
  const installed = new Map(installs.map(({ app_id, release_id }) => [app_id, release_id]));
  const userId = suffix === '' ? user?.id : undefined;
  return shownPage(
    drawHome({
      title,
      apps: apps.map(
        ({ app, release, isMandatory }): ShelfApp => ({
          app,
          release,
          isMandatory,
          path: appPath(app) + suffix,
          installedId: installed.get(app.id),
          links: installLinks(ctx, app.id, release, { userId }),
        }),
      ),
      user: user && { name: user.displayName, email: user.email },
      visitor: toVisitor(ctx.origin?.userAgent),
      devices: user && (await listUserDeviceRows.all(ctx.db, { userId: user.id })),
      now: ctx.clock.now(),
    }),
  );
}

/** Shows the apps that were distributed to the visitor, each with its latest release. */
export async function showHome(ctx: Ctx): Promise<ShownPage> {
  const { actor } = ctx;
  if (actor.kind !== 'user') return shownPage(drawSignIn(`/sign-in?next=${encodeURIComponent(HOME)}`));
  return drawShelf(ctx, { title: 'Your apps', apps: await listTesterApps({ ...ctx, actor }) });
}

/** Shows the apps of a shared group: of a public one to anyone, otherwise to its testers and the organization. */
export async function showSharedGroup(ctx: Ctx, address: { org: string; group: string }): Promise<ShownPage> {
  const { actor } = ctx;
  const path = `/install/orgs/${encodeURIComponent(address.org)}/distribution_groups/${encodeURIComponent(address.group)}`;
  const org = await findOrgId.first(ctx.db, { key: address.org.toLowerCase() });
  const group = org && (await findSharedGroup(ctx, org.id, address.group));
  const isOpen =
    group &&
    (group.isPublic ||
      (actor.kind === 'user' &&
        ((await findTester.first(ctx.db, { groupId: group.id, userId: actor.user.id })) !== undefined ||
          (await findOrgGrant(ctx, actor, address.org)) !== undefined)));
  if (!group || !isOpen) {
    const signIn = actor.kind === 'user' ? undefined : `/sign-in?next=${encodeURIComponent(path)}`;
    return shownPage(drawNothingToInstall(signIn), { status: 404 });
  }
  return drawShelf(ctx, {
    title: group.displayName,
    apps: await listSharedGroupApps(ctx, group.id),
    suffix: `/distribution_groups/${encodeURIComponent(group.name)}`,
  });
}
