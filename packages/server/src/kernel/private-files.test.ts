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
const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);
const filesOf = (found: { file: string }[]) => found.map(({ file }) => path.relative(folder, file));

function write(name: string, mode: number): void {
  writeFileSync(at(name), 'x');
  chmodSync(at(name), mode);
}

test('a private file is its owner’s, and one that is there is left alone', () => {
  createPrivateFile(at('new'));
  expect(modeOf(at('new'))).toBe('600');
  write('old', 0o640);
  createPrivateFile(at('old'));
  expect([modeOf(at('old')), readFileSync(at('old'), 'utf8')]).toEqual(['640', 'x']);
});

describe('the data folder', () => {
  test('is made for its owner only', () => {
    expect(prepareDataFolder(at('a', 'b'))).toEqual([]);
    expect(modeOf(at('a', 'b'))).toBe('700');
  });

  test('that was there before keeps its mode, but nobody else can read what is ours in it', () => {
    chmodSync(folder, 0o755);
    for (const name of ['mooring.db', 'mooring.db-wal', 'mooring.db-shm', 'secret.key']) write(name, 0o644);
    for (const name of ['tls', 'blobs']) mkdirSync(at(name), { mode: 0o755 });
    write('notes.txt', 0o644);
    expect(filesOf(findOpenFiles(folder))).toEqual([
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
        mend: `chmod go-rwx ${folder}`,
      },
    ]);
    for (const name of ['mooring.db', 'mooring.db-wal', 'mooring.db-shm', 'secret.key'])
      expect(modeOf(at(name))).toBe('600');
    for (const name of ['tls', 'blobs']) expect(modeOf(at(name))).toBe('700');
    expect([modeOf(folder), modeOf(at('notes.txt'))]).toEqual(['755', '644']);
  });

  test('that others may write to is told apart', () => {
    chmodSync(folder, 0o770);
    expect(findOpenFiles(folder)).toMatchObject([{ isWritable: true, message: expect.stringContaining('can change') }]);
  });

  test('that nobody else may enter keeps what is in it', () => {
    write('mooring.db', 0o644);
    expect(findOpenFiles(folder)).toEqual([]);
    expect(findOpenFiles(at('missing'))).toEqual([]);
  });

  test('takes away only what others may do', () => {
    chmodSync(folder, 0o711);
    write('secret.key', 0o444);
    prepareDataFolder(folder);
    expect(modeOf(at('secret.key'))).toBe('400');
  });

  test('that cannot be written to is called read-only, with what to do', () => {
    const failed = (code: string) => explainUnwritable('/x', Object.assign(new Error(`${code}: open`), { code }));
    expect(failed('EROFS')).toMatchObject({
      message: expect.stringMatching(/^The data folder \/x is read-only: .*MOORING_DATA_DIR\.$/),
    });
    expect(failed('EACCES')).toMatchObject({
      message: expect.stringMatching(/^The data folder \/x is read-only for the user .*chown.*MOORING_DATA_DIR\.$/),
    });
    expect(failed('ENOSPC')).toMatchObject({ message: 'ENOSPC: open' });
    // The tries leave nothing.
    prepareDataFolder(folder);
    expect(readdirSync(folder)).toEqual([]);
  });

  /** The administrator of a machine may write to every folder, and Windows has no such users. */
  const asOther = process.getuid?.() === 0 && process.seteuid !== undefined;

  test.runIf(asOther)('that belongs to another user is called read-only at start', () => {
    chmodSync(folder, 0o755);
    process.seteuid?.(65_534);
    try {
      expect(() => prepareDataFolder(folder)).toThrow(`The data folder ${folder} is read-only for the user`);
    } finally {
      process.seteuid?.(0);
    }
  });
});
