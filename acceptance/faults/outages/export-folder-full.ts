import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { RunningServer } from '../../harness/server.ts';
import { withBreakable } from '../kills/kill-steps.ts';
import { attachment, crash, HOUR, MINUTE, openApp, readExport, until } from '../outbound-fixtures.ts';

/** How the export folder is full, and how to end that. */
interface FullDisk {
  code: string;
  fill(server: RunningServer): void;
  free(server: RunningServer): void;
  remove(): void;
}

/** A separate disk in memory, which only root can create. */
function smallDisk(folder: string): FullDisk {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=700', 'tmpfs', folder]);
  const ballast = path.join(folder, 'ballast');
  return {
    code: 'ENOSPC',
    fill: () => {
      const { bavail, bsize } = statfsSync(folder);
      writeFileSync(ballast, Buffer.alloc(Number(bavail) * Number(bsize)));
    },
    free: () => rmSync(ballast),
    remove: () => execFileSync('umount', [folder]),
  };
}

/** Limits file sizes to a few bytes; the database belongs to another process. */
function limitedDisk(): FullDisk {
  const limit = (server: RunningServer, most: string) =>
    execFileSync('prlimit', ['--pid', String(server.process.pid), `--fsize=${most}`]);
  return {
    code: 'EFBIG',
    fill: (server) => limit(server, '8:'),
    free: (server) => limit(server, 'unlimited:'),
    remove: () => undefined,
  };
}

/** The disk under the folder of an export is full, and then has space again. */
export const fillExportFolder = (how: 'limit' | 'disk'): Promise<string> =>
  withBreakable('postgres', async (tools) => {
    const { installation, server, set } = tools;
    const { dataDir } = installation.settings;
    const app = await openApp(tools);
    const exportId = await app.addExport('export');
    mkdirSync(path.join(dataDir, 'exports'), { recursive: true, mode: 0o700 });
    const disk = how === 'limit' ? limitedDisk() : smallDisk(path.join(dataDir, 'exports'));
    try {
      const crashes = Array.from({ length: 10 }, (_, n) => crash(n));
      const attachments = crashes.slice(0, 2).map(({ id }) => attachment(id));
      disk.fill(server());
      await app.addLogs([...crashes, ...attachments]);
      set(String(5 * MINUTE));
      const failing = await until('the error of the export', async () => {
        const shown = await app.showExport(exportId);
        return shown.last_error === undefined ? undefined : shown;
      });
      assert.match(failing.last_error ?? '', new RegExp(`Can't write to the export folder: ${disk.code}`));
      assert.deepEqual([failing.state === 'Invalid', failing.waiting_batches], [false, 1]);
      assert.deepEqual(readExport(dataDir, app.id, 'export').names, [], 'the folder has a partial file');
      disk.free(server());
      // Without any action, the export is retried.
      set(String(HOUR));
      await app.untilExported(exportId);
      const { ids, drafts, attachments: files } = readExport(dataDir, app.id, 'export');
      assert.deepEqual(ids.toSorted(), crashes.map(({ id }) => id).toSorted());
      assert.deepEqual([drafts, files], [0, attachments.map(() => 'what mo did')]);
      return `no space in the folder of an export (${disk.code}): the reason is shown and no file exists; after space was freed, ${ids.length} reports and ${files.length} attachments followed without action, each once`;
    } finally {
      disk.remove();
    }
  });
