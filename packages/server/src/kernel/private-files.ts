import { chmodSync, closeSync, existsSync, mkdirSync, openSync, rmSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';

const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;

/** Windows has no such modes: there the folder's own rights count. */
const has = ({ mode }: Stats, bits: number): boolean => process.platform !== 'win32' && (mode & bits) !== 0;

/**
 * Makes an empty file that only its owner may read, unless there is one. What is there is not opened: closing it would
 * end the locks that SQLite has on it in this process.
 */
export function createPrivateFile(file: string): void {
  if (existsSync(file)) return;
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** What lies in the data folder and must be its owner's alone. A folder that nobody may enter keeps what is in it. */
const secrets = ['mooring.db', 'mooring.db-wal', 'mooring.db-shm', 'secret.key', 'tls', 'blobs', 'telemetry'];

export interface OpenFile {
  file: string;
  isWritable: boolean;
  message: string;
  mend: string;
}

function describe(file: string, stats: Stats): OpenFile {
  const isWritable = has(stats, OTHERS_WRITE);
  const message = `Others on this machine can ${isWritable ? 'change' : 'read'} ${file}.`;
  return { file, isWritable, message, mend: `chmod go-rwx ${file}` };
}

/** The data folder and what lies in it, as far as others may read or change it. */
export function findOpenFiles(dataDir: string): OpenFile[] {
  const folder = statSync(dataDir, { throwIfNoEntry: false });
  if (!folder || !has(folder, OTHERS)) return [];
  const within = secrets.flatMap((name) => {
    const file = path.join(dataDir, name);
    const stats = statSync(file, { throwIfNoEntry: false });
    return stats && has(stats, OTHERS) ? [describe(file, stats)] : [];
  });
  return [describe(dataDir, folder), ...within];
}

/** Says in words why a data folder cannot be written to; other errors stay as they are. */
export function explainUnwritable(dataDir: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EROFS')
    return new Error(
      `The data folder ${dataDir} is read-only: it is on a read-only file system. Mount it for writing, or set another folder in MOORING_DATA_DIR.`,
      { cause: error },
    );
  if (code === 'EACCES' || code === 'EPERM')
    return new Error(
      `The data folder ${dataDir} is read-only for the user of this process. Make that user the owner of the folder (chown), or set another folder in MOORING_DATA_DIR.`,
      { cause: error },
    );
  return error;
}

/** Creates the folder and a file in it, to report a read-only folder before the database fails with a less clear error. */
function checkWritable(dataDir: string): void {
  const probe = path.join(dataDir, `.write-test-${process.pid}`);
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    closeSync(openSync(probe, 'w', 0o600));
    rmSync(probe, { force: true });
  } catch (error) {
    throw explainUnwritable(dataDir, error);
  }
}

/**
 * Makes the data folder, and takes from others what they may do to the files of this server in one that was there before.
 * The folder itself may hold more than ours, so it is left as it is. Returns what is still open.
 */
export function prepareDataFolder(dataDir: string): OpenFile[] {
  checkWritable(dataDir);
  for (const { file } of findOpenFiles(dataDir)) {
    if (file === dataDir) continue;
    try {
      chmodSync(file, statSync(file).mode & ~OTHERS & 0o7777);
    } catch (error) {
      // Somebody else's file: it stays among what is told.
      if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
    }
  }
  return findOpenFiles(dataDir);
}
