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

/** Loads the key from the data folder. The first start creates it; of several concurrent processes, only one does. */
export function loadSecretKey(dataDir: string): SecretKey {
  const file = path.join(dataDir, 'secret.key');
  if (!existsSync(file)) make(file);
  // Syncs the key, even one that another process has just created: sealed data must not survive a power failure that
  // loses the key.
  sync(file);
  syncFolder(dataDir);
  const key = readSecretKey(readFileSync(file, 'utf8').trim());
  if (!key)
    throw new Error(
      `${file} does not contain 32 bytes in base64. Restore it from a backup, or delete it to create a new key.`,
    );
  return key;
}

function make(file: string): void {
  const bytes = randomBytes(BYTES);
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, `${bytes.toString('base64')}\n`, { mode: 0o600 });
  try {
    sync(draft);
    // A link appears complete or not at all, and never replaces a file.
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

/** Windows does not support this. */
function syncFolder(folder: string): void {
  if (process.platform !== 'win32') sync(folder);
}
