import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SecretKey } from './sealed.ts';

const BYTES = 32;

/** 64 hexadecimal digits, or base64 of 32 bytes; undefined for anything else. */
export function readSecretKey(text: string): SecretKey | undefined {
  const isHex = /^[0-9a-f]{64}$/i.test(text);
  if (!isHex && !/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return undefined;
  const key = Buffer.from(text, isHex ? 'hex' : 'base64');
  return key.length === BYTES ? key : undefined;
}

/** The key in the data folder, made at the first start. Of several processes that start at once, one makes it. */
export function loadSecretKey(dataDir: string): SecretKey {
  const file = path.join(dataDir, 'secret.key');
  if (!existsSync(file)) make(file);
  // What is sealed must not outlast its key: a power cut after this leaves both. Perhaps another process made it just now.
  sync(file);
  syncFolder(dataDir);
  const key = readSecretKey(readFileSync(file, 'utf8').trim());
  if (!key) throw new Error(`${file} does not hold 32 bytes in base64; restore it, or remove it for a new one.`);
  return key;
}

function make(file: string): void {
  const bytes = randomBytes(BYTES);
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, `${bytes.toString('base64')}\n`, { mode: 0o600 });
  try {
    sync(draft);
    // A link appears whole or not at all, and never over another one.
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
}

function sync(file: string): void {
  const handle = openSync(file, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Windows has no such thing. */
function syncFolder(folder: string): void {
  if (process.platform !== 'win32') sync(folder);
}
