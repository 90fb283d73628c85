import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createPrivateFile, explainUnwritable, findOpenFiles, prepareDataFolder } from './private-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'mooring-private-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

const at = (...names: string[]) => path.join(folder, ...names);
const getMode = (file: string) => (statSync(file).mode & 0o777).toString(8);
const listFiles = (found: { file: string }[]) => found.map(({ file }) => path.relative(folder, file));

function write(name: string, mode: number): void {
  writeFileSync(at(name), 'x');
  chmodSync(at(name), mode);
}

test('creates a private file, and does not change an existing one', () => {
  createPrivateFile(at('new'));
  expect(getMode(at('new'))).toBe('600');
  write('old', 0o640);
  createPrivateFile(at('old'));
  expect([getMode(at('old')), readFileSync(at('old'), 'utf8')]).toEqual(['640', 'x']);
});

describe('the data folder', () => {
  test('is created for its owner only', () => {
    expect(prepareDataFolder(at('a', 'b'))).toEqual([]);
    expect(getMode(at('a', 'b'))).toBe('700');
  });

  test('that existed before keeps its mode, but other users cannot read the files in it', () => {
    chmodSync(folder, 0o755);
    for (const name of ['mooring.db', 'mooring.db-wal', 'mooring.db-shm', 'secret.key']) write(name, 0o644);
    for (const name of ['tls', 'blobs']) mkdirSync(at(name), { mode: 0o755 });
    write('notes.txt', 0o644);
    expect(listFiles(findOpenFiles(folder))).toEqual([
      '',
      'mooring.db',
      'mooring.db-wal',
      'mooring.db-shm',
      'secret.key',
      'tls',
      'blobs',
    ]);
    const left = prepareDataFolder(folder);
    expect(left).toEqual([
      {
        file: folder,
        isWritable: false,
        message: `Others on this machine can read ${folder}.`,
        remedy: `chmod go-rwx ${folder}`,
      },
    ]);
    for (const name of ['mooring.db', 'mooring.db-wal', 'mooring.db-shm', 'secret.key'])
      expect(getMode(at(name))).toBe('600');
    for (const name of ['tls', 'blobs']) expect(getMode(at(name))).toBe('700');
    expect([getMode(folder), getMode(at('notes.txt'))]).toEqual(['755', '644']);
  });

  test('is reported separately if other users can write to it', () => {
    chmodSync(folder, 0o770);
    expect(findOpenFiles(folder)).toMatchObject([{ isWritable: true, message: expect.stringContaining('can change') }]);
  });

  test("keeps the modes of its files if other users can't enter it", () => {
    write('mooring.db', 0o644);
    expect(findOpenFiles(folder)).toEqual([]);
    expect(findOpenFiles(at('missing'))).toEqual([]);
  });

  test('removes only the permissions of others', () => {
    chmodSync(folder, 0o711);
    write('secret.key', 0o444);
    prepareDataFolder(folder);
    expect(getMode(at('secret.key'))).toBe('400');
  });

  test('is reported as read-only, with a remedy', () => {
    const failed = (code: string) => explainUnwritable('/x', Object.assign(new Error(`${code}: open`), { code }));
    expect(failed('EROFS')).toMatchObject({
      message: expect.stringMatching(/^The data folder \/x is read-only: .*MOORING_DATA_DIR\.$/),
    });
    expect(failed('EACCES')).toMatchObject({
      message: expect.stringMatching(/^The data folder \/x is read-only for the user .*chown.*MOORING_DATA_DIR\.$/),
    });
    expect(failed('ENOSPC')).toMatchObject({ message: 'ENOSPC: open' });
    // The attempts leave no files.
    prepareDataFolder(folder);
    expect(readdirSync(folder)).toEqual([]);
  });

  /** Root can write to every folder, and Windows has no such users. */
  const asOther = process.getuid?.() === 0 && process.seteuid !== undefined;

  test.runIf(asOther)('is reported as read-only at start if it belongs to another user', () => {
    chmodSync(folder, 0o755);
    process.seteuid?.(65_534);
    try {
      expect(() => prepareDataFolder(folder)).toThrow(`The data folder ${folder} is read-only for the user`);
    } finally {
      process.seteuid?.(0);
    }
  });
});
