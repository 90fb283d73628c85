import type { Deps } from '../../../context.ts';
import { isReferenceGone } from '../../../db/portable.ts';
import { tx } from '../../../db/tx.ts';
import { createGrouping } from '../../../kernel/grouping.ts';
import { findReleaseId } from './install-counts.store.ts';
import { addInstall, type InstallRow } from './install-rows.ts';

export type NoteInstall = (row: InstallRow) => void;

const compare = (one: InstallRow, other: InstallRow): number =>
  one.app_id.localeCompare(other.app_id) || one.release_id - other.release_id;

/**
 * Counts installs that SDKs report when they ask for an update. The response does not wait: many are written together, and a
 * server that stops writes those that are pending. An error is logged, since no caller hears of it.
 */
export function createInstallNotes(deps: Deps): NoteInstall {
  const pending = new Set<Promise<void>>();
  const add = createGrouping<InstallRow>({
    write: (rows) =>
      tx(deps, async (ctx) => {
        // In one order, so that two processes never wait for each other.
        for (const row of rows.toSorted(compare)) await addInstall(ctx, row);
      }),
  });

  async function write(row: InstallRow): Promise<void> {
    try {
      // Most reports of made-up releases end here, without a transaction.
      if (await findReleaseId.first(deps.db, { appId: row.app_id, releaseId: row.release_id })) await add(row);
    } catch (err) {
      const { app_id: app, release_id: release } = row;
      if (!isReferenceGone(err)) deps.log.warn({ err, app, release }, 'an install could not be counted');
    }
  }

  deps.onStop(async () => {
    await Promise.all(pending);
  });
  return (row) => {
    const written = write(row).finally(() => pending.delete(written));
    pending.add(written);
  };
}
