import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { noteSettings } from './shared-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'mooring-shared-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

const settings = {
  MOORING_PUBLIC_URL: 'https://a.example.com',
  MOORING_SECRET_KEY: 'hush',
  MOORING_DATABASE_URL: undefined,
};
const changed = { ...settings, MOORING_PUBLIC_URL: 'https://b.example.com' };
/** A process that runs as long as this test. */
const running = process.ppid;
const MAX_PID = 2 ** 22 + 1;

test('warns a second server about different settings by name', () => {
  expect(noteSettings(folder, settings, running).warning).toBeUndefined();
  const { warning } = noteSettings(folder, changed);
  expect(warning).toContain(`process ${running} on `);
  expect(warning).toContain(`uses the data folder ${folder} with other settings: MOORING_PUBLIC_URL.`);
});

test('does not warn about the same settings, an ended server or a damaged note', () => {
  noteSettings(folder, settings, running);
  expect(noteSettings(folder, settings).warning).toBeUndefined();
  noteSettings(folder, settings, MAX_PID);
  expect(noteSettings(folder, changed).warning).toBeUndefined();
  for (const text of ['', '{"pid":', 'null', '7']) {
    writeFileSync(path.join(folder, 'server.json'), text);
    expect(noteSettings(folder, changed).warning).toBeUndefined();
  }
});

test('the note has no values, is private, and only its own server removes it', () => {
  const first = noteSettings(folder, settings, running);
  const file = path.join(folder, 'server.json');
  expect(readFileSync(file, 'utf8')).not.toMatch(/hush|example/);
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  const second = noteSettings(folder, settings);
  first.remove();
  expect(readdirSync(folder)).toEqual(['server.json']);
  second.remove();
  expect(readdirSync(folder)).toEqual([]);
});
