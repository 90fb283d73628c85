import type { Ctx, Deps } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { conflict, type Failure } from '../../kernel/errors.ts';
import { deleteGroupRow, insertGroup, insertGroupApp, listAppsWithoutCollaborators } from './groups.store.ts';
import type { Group } from './groups.ts';

/** Old pipelines distribute to this group by default, so every app has it. */
const NAME = 'Collaborators';
const KEY = NAME.toLowerCase();
const CHUNK = 200;

/** The group has the id of its app. Its members are not stored: they are the users who work on the app. */
export const isCollaborators = ({ id, app }: Pick<Group, 'id' | 'app'>): boolean => id === app?.id;

/** Creates the group of a new app, or of one that lacks it. A group that people named so stays theirs. */
export async function createCollaborators(db: Deps['db'], appId: string, now: number): Promise<void> {
  await insertGroup.first(db, {
    id: appId,
    app_id: appId,
    org_id: null,
    name: NAME,
    name_key: KEY,
    display_name: null,
    is_public: 0,
    created_at: now,
  });
  const isFree = await insertGroupApp.first(db, { group_id: appId, app_id: appId, name_key: KEY });
  if (!isFree) await deleteGroupRow.run(db, { id: appId });
}

/** For apps of earlier versions, of which one may still run beside this process. */
export async function createMissingCollaborators(ctx: Ctx): Promise<object> {
  for (;;) {
    const apps = await listAppsWithoutCollaborators.all(ctx.db, { key: KEY, limit: CHUNK });
    if (apps.length === 0) return {};
    await tx(ctx, async ({ db, clock }) => {
      for (const { id } of apps) await createCollaborators(db, id, clock.now());
    });
  }
}

export const cannotRename = (app: string): Failure =>
  conflict(`Can't rename ${NAME}: every app has this group. Create another group in ${app} instead.`);

export const cannotDelete = (app: string): Failure =>
  conflict(
    `Can't delete ${NAME}: every app has this group. Remove the release from the group instead; ${app} keeps it.`,
  );

export const cannotChangeMembers = (app: string): Failure =>
  conflict(
    `Can't change the members of ${NAME}: they are the users who work on ${app}. Invite users to the app or remove them there.`,
  );
