import type { AppOs, AppPermission, AppPlatform } from '@mooring/contract';
import type { UserCtx } from '../../context.ts';
import { type ListInput, type Page, readList, type Sorts } from '../../kernel/paging.ts';
import { getEffectivePermission } from './access/permissions.ts';
import { pageApps } from './apps.store.ts';

export interface ListedApp {
  id: string;
  name: string;
  displayName: string;
  os: AppOs;
  platform: AppPlatform;
  releaseType: string | undefined;
  iconUrl: string | undefined;
  owner: { name: string; displayName: string; kind: 'user' | 'org'; avatarUrl: string | undefined };
  permission: AppPermission;
  createdAt: number;
  updatedAt: number;
}

const sorts = {
  display_name: 'name',
  name: 'name',
  owner: 'name',
  os: 'name',
  created_at: 'time',
  updated_at: 'time',
} satisfies Sorts<string>;
export type AppSort = keyof typeof sorts;

interface AppListInput extends ListInput<AppSort> {
  owner?: string | undefined;
  os?: AppOs | undefined;
  favorite?: boolean | undefined;
}

/** Apps that the caller can see, of all owners or of one. */
export const searchApps = (
  ctx: UserCtx,
  { owner, os, favorite: isFavorite = false, ...input }: AppListInput,
): Promise<Page<ListedApp>> =>
  readList(
    input,
    sorts,
    (listing) =>
      pageApps(ctx.db, { userId: ctx.actor.user.id, ownerKey: owner?.toLowerCase(), os, isFavorite }, listing),
    (row) => ({
      id: row.id,
      name: row.name,
      displayName: row.display_name,
      os: row.os as AppOs,
      platform: row.platform as AppPlatform,
      releaseType: row.release_type ?? undefined,
      iconUrl: row.icon_url ?? undefined,
      owner: {
        name: row.owner_name,
        displayName: row.owner_display_name,
        kind: row.owner_kind,
        avatarUrl: row.owner_avatar_url ?? undefined,
      },
      permission: getEffectivePermission(ctx.actor, { id: row.id, rank: Number(row.rank) }) ?? 'tester',
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    }),
  );
