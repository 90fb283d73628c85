import type { AppPermission } from '@mooring/contract';
import type { AppCtx, User } from '../../../context.ts';
import { type ListInput, type Listing, type Page, readList, type Sorts } from '../../../kernel/paging.ts';
import { toUser } from '../../accounts/index.ts';
import { pageAccess } from './app-access.store.ts';
import { toPermission } from './permissions.ts';

export interface AccessWay {
  kind: 'direct' | 'team' | 'organization';
  permission: AppPermission;
  name: string | undefined;
  displayName: string | undefined;
}

export interface AppAccess {
  user: User;
  permission: AppPermission;
  isOwner: boolean;
  via: AccessWay[];
}

const sorts = { display_name: 'name', name: 'name', email: 'name', permission: 'rank' } satisfies Sorts<string>;
export type AccessSort = keyof typeof sorts;

const toAppPermission = (rank: number): AppPermission => toPermission(Number(rank)) ?? 'tester';

/** Users with access to an app, with all sources of it. Excludes testers. */
export function listAppAccess(ctx: AppCtx, input: ListInput<AccessSort>): Promise<Page<AppAccess>> {
  const { id: appId, ownerId } = ctx.app;
  async function read(listing: Listing<AccessSort>) {
    const rows = await pageAccess(ctx.db, { appId, ownerId }, listing);
    const people = [...Map.groupBy(rows, ({ id }) => id).values()];
    return people.flatMap((ways) => ways.slice(0, 1).map((row) => ({ ...row, ways })));
  }
  return readList(input, sorts, read, ({ ways, ...row }) => ({
    user: toUser(row),
    permission: toAppPermission(row.highest),
    isOwner: row.id === ownerId,
    via: ways.map(({ way, rank, way_name, way_display_name }) => ({
      kind: way,
      permission: toAppPermission(rank),
      name: way_name ?? undefined,
      displayName: way_display_name ?? undefined,
    })),
  }));
}
