import type { Deps } from '../../../context.ts';
import { isReferenceGone } from '../../../db/portable.ts';
import { tx } from '../../../db/tx.ts';
import { WriteCoalescer } from '../../../kernel/concurrency/write-coalescer.ts';
import { findReleaseId } from './install-counts.store.ts';
import { addInstalls, type InstallRow } from './install-rows.ts';

export type NoteInstall = (row: InstallRow) => void;

/**
 * Counts installs that SDKs report with update checks. The response does not wait: installs are written in groups, and a
 * shutdown writes pending ones. Errors are logged, since there is no caller to report them to.
 */
export function createInstallNotes(deps: Deps): NoteInstall {
  const pending = new Set<Promise<void>>();
  const queue = new WriteCoalescer<InstallRow>({
    write(group) {
      const rows = group.takeAll();
      return tx(deps, (ctx) => addInstalls(ctx, rows));
    },
    retry: () => 'items',
  });

  async function write(row: InstallRow): Promise<void> {
    try {
      // Most reports of made-up releases end here, without a transaction.
      if (!(await findReleaseId.first(deps.db, { appId: row.app_id, releaseId: row.release_id }))) return;
      queue.refuseIfFull();
      await queue.add(row);
    } catch (err) {
      const { app_id: app, release_id: release } = row;
      if (!isReferenceGone(err)) deps.log.warn({ err, app, release }, 'failed to count an install');
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
