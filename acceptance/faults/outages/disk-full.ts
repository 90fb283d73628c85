import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { send } from '../../harness/http.ts';
import { type RunningServer, startServer } from '../../harness/server.ts';
import { sqliteRows } from '../installation.ts';
import {
  checkAcknowledged,
  expectUnavailable,
  openWork,
  read,
  untilWorks,
  type Work,
  writeApp,
  writeAvatar,
} from './outage.ts';

/** A disk that can be filled and emptied again. */
interface Disk {
  how: string;
  folder: string;
  fill(server: RunningServer): void;
  free(server: RunningServer): void;
  remove(): void;
}

/** A limit on file sizes, which any user can set on a shared machine. */
export function limitedDisk(): Disk {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-disk-'));
  const limit = (server: RunningServer, most: string) =>
    execFileSync('prlimit', ['--pid', String(server.process.pid), `--fsize=${most}`]);
  return {
    how: 'a limit on file sizes',
    folder,
    fill: (server) => {
      const wal = statSync(path.join(folder, 'mooring.db-wal')).size;
      limit(server, `${Math.min(wal, 65_536)}:`);
    },
    free: (server) => limit(server, 'unlimited:'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A separate disk in memory, which only root can create. */
function smallDisk(): Disk {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', folder]);
  const ballast = path.join(folder, 'ballast');
  return {
    how: 'a full disk of 24 MB',
    folder,
    fill: () => {
      const { bavail, bsize } = statfsSync(folder);
      writeFileSync(ballast, Buffer.alloc(Number(bavail) * Number(bsize)));
    },
    free: () => rmSync(ballast),
    remove: () => {
      execFileSync('umount', [folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const importEvents = ({ server, token }: Work) =>
  send('POST', `${server.httpUrl}/providers/Vendor.ResourceHealth/events/import?api-version=2024-02-01`, {
    token,
    body: Array.from({ length: 300 }, (_, at) => ({
      name: `full-${at}`,
      properties: {
        eventType: 'RCA',
        title: 'x'.repeat(400),
        impact: [{ impactedService: 'Mail', impactedRegions: [{ impactedRegion: 'North' }] }],
      },
    })),
  });

async function fillAndFree(disk: Disk): Promise<string> {
  const server = await startServer({ env: { MOORING_RATE_LIMIT: '0' }, dataDir: disk.folder });
  const acknowledged = new Set<string>();
  try {
    const work = await openWork(server);
    const write = async (name: string) => {
      const answer = await writeApp(work, name);
      if (answer.status < 300) acknowledged.add(name);
      return answer;
    };
    for (let n = 0; n < 20; n++) assert.ok((await write(`app-before-${n}`)).status < 300);
    disk.fill(server);
    const messages = new Set<string>();
    for (let n = 0; messages.size === 0 || n < 20; n++) {
      const answer = await write(`app-full-${n}`);
      if (answer.status < 300) assert.ok(n < 500, 'The disk did not fill up.');
      else messages.add(await expectUnavailable(Promise.resolve(answer)));
    }
    messages.add(await expectUnavailable(writeAvatar(work)));
    const imported = await importEvents(work);
    assert.equal(imported.status, 503, imported.text);
    for (const fine of [await read(work), await send('GET', `${server.httpUrl}/healthz`)])
      assert.equal(fine.status, 200, fine.text);
    disk.free(server);
    const back = await untilWorks(() => write('app-back'));
    assert.ok((await writeAvatar(work)).status < 300);
    assert.equal((await importEvents(work)).status, 200);
    await checkAcknowledged({ dialect: 'sqlite', rows: sqliteRows(disk.folder) }, acknowledged);
    assert.equal(server.output().includes('unexpected error'), false, server.output());
    return `${disk.how}: 503 ("${[...messages].join('", "')}"), reads continued; writes resumed ${back.toFixed(0)} ms after space was freed; all ${acknowledged.size} acknowledged changes present, the database file is intact`;
  } finally {
    await server.stop({ keepData: true });
  }
}

/** The disk under SQLite and the files is full, and then has space again. */
export async function fillDisk(how: 'limit' | 'disk'): Promise<string> {
  const disk = how === 'limit' ? limitedDisk() : smallDisk();
  try {
    return await fillAndFree(disk);
  } finally {
    disk.remove();
  }
}
