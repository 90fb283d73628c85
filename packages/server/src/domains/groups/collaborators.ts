import type { Ctx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { conflict, type Failure } from '../../kernel/errors.ts';
import { lockApps } from '../apps/index.ts';
import {
  insertGroup,
  insertGroupApp,
  insertMissingCollaborators,
  linkMissingCollaborators,
  listAppsWithoutCollaborators,
} from './groups.store.ts';

/** Old pipelines distribute to this group by default, so every app has it. */
const NAME = 'Collaborators';
const KEY = NAME.toLowerCase();
const CHUNK = 1000;

/** The group has the ID of its app. Its members are not stored: they are the users of the app. */
export const isCollaborators = ({ id, app }: { id: string; app?: { id: string } | undefined }): boolean =>
  id === app?.id;

/** Call in the transaction that creates the app. */
export async function createCollaborators({ db, clock }: Ctx, appId: string): Promise<void> {
  await insertGroup.first(db, {
    id: appId,
    app_id: appId,
    org_id: null,
    name: NAME,
    name_key: KEY,
    display_name: null,
    is_public: 0,
    created_at: clock.now(),
  });
  await insertGroupApp.first(db, { group_id: appId, app_id: appId, name_key: KEY });
}

/** Adds the group to apps that an earlier version created, unless users created a group of that name. */
export async function createMissingCollaborators(ctx: Ctx): Promise<object> {
  const createSome = (after: string) =>
    tx(ctx, async ({ db, clock }) => {
      const apps = await listAppsWithoutCollaborators.all(db, { key: KEY, after, limit: CHUNK });
      await lockApps(
        { db },
        apps.map(({ id }) => id),
      );
      const [first, last] = [apps[0]?.id, apps.at(-1)?.id];
      if (first === undefined || last === undefined) return undefined;
      await insertMissingCollaborators.run(db, { key: KEY, name: NAME, first, last, now: clock.now() });
      await linkMissingCollaborators.run(db, { first, last });
      return last;
    });
  for (let last: string | undefined = ''; last !== undefined; ) last = await createSome(last);
  return {};
}

export const cannotRename = (app: string): Failure =>
  conflict(`Can't rename ${NAME}: every app has this group. Create another group in ${app} instead.`);

export const cannotDelete = (app: string): Failure =>
  conflict(
    `Can't delete ${NAME}: every app has this group. Remove the release from the group instead; ${app} keeps it.`,
  );

export const cannotChangeMembers = (app: string): Failure =>
  conflict(
    `Can't change the members of ${NAME}: they are the users of ${app}. Invite users to the app or remove them there.`,
  );
