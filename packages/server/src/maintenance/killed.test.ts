import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { knownMigrations } from '../db/migrate.ts';
import { openDatabase } from '../db/open.ts';
import { writeArchive } from './archive.ts';

const program = path.join(import.meta.dirname, '../maintain.ts');
const BUSY = 5;
const ROWS = 100_000;
const PER_FRAME = 5000;

let scratch: string;
const at = (...names: string[]) => path.join(scratch, ...names);
beforeEach(() => {
  scratch = mkdtempSync(path.join(tmpdir(), 'mooring-killed-'));
  onTestFinished(() => rmSync(scratch, { recursive: true, force: true }));
});

/** Large enough to be killed midway. */
async function writeLarge(file: string): Promise<void> {
  const frames = async function* () {
    for (let start = 0; start < ROWS; start += PER_FRAME) {
      const lines = Array.from({ length: PER_FRAME }, (_, n) => `{"name":"key ${start + n}","value":"x"}\n`);
      const content = Buffer.from(lines.join(''));
      yield { frame: { table: 'key_values', rows: PER_FRAME, bytes: content.length }, content: [content] };
    }
  };
  const header = {
    format: 'mooring-backup',
    version: 1,
    made_at: '2026-11-01T09:00:00.000Z',
    program: '0.1.0',
    source: 'sqlite',
    migrations: [...knownMigrations],
    tables: [
      { name: 'key_values', rows: ROWS },
      { name: 'health_version', rows: 0 },
    ],
  } as const;
  await pipeline(
    writeArchive({ ...header, migrations: [...header.migrations], tables: [...header.tables] }, frames()),
    createGzip(),
    createWriteStream(file),
  );
}

function start(...args: string[]) {
  const env = { PATH: process.env.PATH, MOORING_DATA_DIR: at('data') };
  return spawn(process.execPath, [program, ...args], { env, stdio: 'ignore' });
}

async function run(...args: string[]): Promise<number | null> {
  const child = start(...args);
  await once(child, 'exit');
  return child.exitCode;
}

/** Kills the program once its work has a visible effect. If it ends earlier, reverts its work and retries. */
async function killWhen(isSeen: () => boolean, args: string[], undo: () => void): Promise<void> {
  for (;;) {
    const child = start(...args);
    const ended = once(child, 'exit');
    while (child.exitCode === null && !isSeen()) await pause(2);
    child.kill('SIGKILL');
    await ended;
    if (child.signalCode === 'SIGKILL') return;
    undo();
  }
}

async function countRows(): Promise<number> {
  const database = openDatabase({ location: at('data', 'mooring.db') });
  const rows = await database.query((q) => q.selectFrom('key_values').select(({ fn }) => fn.countAll().as('count')));
  await database.close();
  return Number(rows[0]?.count);
}

const attempt = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

/** The tables exist, and a program is writing to them. */
function isLoading(): boolean {
  if (!existsSync(at('data', 'mooring.db'))) return false;
  const database = new DatabaseSync(at('data', 'mooring.db'), { timeout: 0 });
  const applied = attempt(() => database.prepare('SELECT count(*) AS count FROM migrations').get());
  const refused = attempt(() => database.exec('BEGIN IMMEDIATE; ROLLBACK;'));
  database.close();
  const isMigrated = (applied as { count?: number } | undefined)?.count === knownMigrations.length;
  return isMigrated && (refused as { errcode?: number } | undefined)?.errcode === BUSY;
}

it('a killed restore or backup is complete or leaves nothing, and can be repeated', async () => {
  await writeLarge(at('large'));
  await killWhen(isLoading, ['restore', at('large')], () => rmSync(at('data'), { recursive: true }));
  expect([0, ROWS]).toContain(await countRows());
  expect(await run('restore', at('large'), '--force')).toBe(0);
  expect(await countRows()).toBe(ROWS);

  const isBeingWritten = () => readdirSync(scratch).some((name) => name.endsWith('.part'));
  await killWhen(isBeingWritten, ['backup', at('copy')], () => rmSync(at('copy')));
  expect(existsSync(at('copy'))).toBe(false);
  const [part = ''] = readdirSync(scratch).filter((name) => name.endsWith('.part'));
  expect(await run('restore', at(part), '--force')).toBe(1);
  expect(await countRows()).toBe(ROWS);
  expect(await run('backup', at('copy'))).toBe(0);
  expect(await run('restore', at('copy'))).toBe(1);
  expect(await run('restore', at('copy'), '--force')).toBe(0);
  expect(await countRows()).toBe(ROWS);
}, 120_000);
