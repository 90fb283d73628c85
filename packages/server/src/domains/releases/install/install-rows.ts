import type { Deps } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { sweep } from '../../../db/rows/sweep.ts';
import { DAY, HOUR } from '../../../kernel/clock.ts';
import { addressKey } from '../../../kernel/ip-address.ts';
import {
  combineOldInstalls,
  countInstall,
  findGroupInstall,
  findReleaseInstall,
  raiseInstall,
  stampInstalls,
} from './install-counts.store.ts';
import { saveTesterInstall } from './tester-installs.store.ts';

/** Installers of a group with a row each; all others share a row, so that anonymous callers cannot add rows forever. */
export const MAX_INSTALLERS_PER_GROUP = 5_000;
export const MAX_INSTALLERS_PER_RELEASE = 20_000;
/** New anonymous installers per IP address and hour. */
export const MAX_INSTALLERS_PER_ADDRESS = 100;
const MAX_ADDRESSES = 10_000;
/** Rows that no install has changed for this long are combined. */
const RETENTION_MS = 365 * DAY;

/** Stands for all installers without a row. */
export const OTHER_INSTALLERS = 'others';

let addresses = new Map<string, number>();
let addressesUntil = 0;

/** Counts in this process only; a restart or another process allows a few more. */
function mayAddFrom(address: string, now: number): boolean {
  if (now >= addressesUntil || addressesUntil - now > HOUR || addresses.size >= MAX_ADDRESSES) {
    addresses = new Map();
    addressesUntil = now + HOUR;
  }
  const added = addresses.get(address) ?? 0;
  if (added >= MAX_INSTALLERS_PER_ADDRESS) return false;
  addresses.set(address, added + 1);
  return true;
}

export interface InstallRow {
  /** IP address of the caller. */
  address: string;
  app_id: string;
  release_id: number;
  group_id: string;
  installer: string;
  /** The installer has an account, so it always gets a row. */
  isUser?: boolean;
}

/** In an order that all processes share, so that two transactions never deadlock. */
const inOrder = (rows: readonly InstallRow[]): InstallRow[] =>
  rows.toSorted((one, other) => one.app_id.localeCompare(other.app_id) || one.release_id - other.release_id);

/** Adds installs, in the caller's transaction; those of users also update the release that they have. */
export async function addInstalls(ctx: Pick<Deps, 'db' | 'clock'>, rows: readonly InstallRow[]): Promise<void> {
  for (const row of inOrder(rows)) await addInstall(ctx, row);
  const ofUsers = rows.filter(({ isUser }) => isUser);
  for (const { installer, app_id, release_id } of ofUsers.toSorted((one, other) =>
    `${one.installer} ${one.app_id}`.localeCompare(`${other.installer} ${other.app_id}`),
  ))
    await saveTesterInstall.run(ctx.db, { user_id: installer, app_id, release_id, installed_at: ctx.clock.now() });
}

/** Adds one install without updating the release that a user has. */
export async function addInstall(
  ctx: Pick<Deps, 'db' | 'clock'>,
  { isUser = false, address, ...row }: InstallRow,
): Promise<void> {
  const now = ctx.clock.now();
  if ((await raiseInstall.run(ctx.db, { ...row, now })) > 0) return;
  const add = (overrides: Partial<typeof row>) =>
    countInstall.run(ctx.db, { ...row, ...overrides, count: 1, noted_at: now });
  if (isUser) return void (await add({}));
  await lock(ctx, 'limits', `installs ${row.app_id} ${row.release_id}`);
  const { app_id: appId, release_id: releaseId, group_id: groupId } = row;
  const isReleaseFull = await findReleaseInstall.first(ctx.db, {
    appId,
    releaseId,
    offset: MAX_INSTALLERS_PER_RELEASE - 1,
  });
  if (isReleaseFull) return void (await add({ group_id: '', installer: OTHER_INSTALLERS }));
  const isGroupFull = await findGroupInstall.first(ctx.db, {
    appId,
    releaseId,
    groupId,
    offset: MAX_INSTALLERS_PER_GROUP - 1,
  });
  const canAddInstaller = !isGroupFull && mayAddFrom(addressKey(address), now);
  await add(canAddInstaller ? {} : { installer: OTHER_INSTALLERS });
}

/** Combines rows without changes for a year; totals do not change. */
export async function sweepInstalls(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  await sweep(deps, (db, limit) => stampInstalls.run(db, { now, limit }));
  const old = { before: now - RETENTION_MS, other: OTHER_INSTALLERS, now };
  await sweep(deps, (db, limit) => combineOldInstalls(db, { ...old, limit }));
}
