import { chmodSync, closeSync, existsSync, mkdirSync, openSync, rmSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';

const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;

/** Windows has no such modes; the access rights of the folder apply there. */
const has = ({ mode }: Stats, bits: number): boolean => process.platform !== 'win32' && (mode & bits) !== 0;

/**
 * Creates an empty file that only its owner can read, unless it exists. Does not open an existing file: closing it
 * would release the locks that SQLite has on it in this process.
 */
export function createPrivateFile(file: string): void {
  if (existsSync(file)) return;
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * Files in the data folder that only their owner may access. A folder without access for others protects its content.
 */
const secrets = ['mooring.db', 'mooring.db-wal', 'mooring.db-shm', 'secret.key', 'tls', 'blobs', 'telemetry'];

export interface OpenFile {
  file: string;
  isWritable: boolean;
  message: string;
  remedy: string;
}

function describe(file: string, stats: Stats): OpenFile {
  const isWritable = has(stats, OTHERS_WRITE);
  const message = `Others on this machine can ${isWritable ? 'change' : 'read'} ${file}.`;
  return { file, isWritable, message, remedy: `chmod go-rwx ${file}` };
}

/** Lists the data folder and its files if other users can read or change them. */
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

/** Explains why a data folder is not writable. Returns other errors unchanged. */
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

/**
 * Creates the folder and a file in it, to report a read-only folder before the database fails with a less clear error.
 */
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
 * Creates the data folder, or removes the access of other users to the server's files in an existing one. The folder
 * itself may contain other files, so its mode is not changed. Returns the files that are still accessible.
 */
export function prepareDataFolder(dataDir: string): OpenFile[] {
  checkWritable(dataDir);
  for (const { file } of findOpenFiles(dataDir)) {
    if (file === dataDir) continue;
    try {
      chmodSync(file, statSync(file).mode & ~OTHERS & 0o7777);
    } catch (error) {
      // The file has another owner; it stays among the returned ones.
      if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
    }
  }
  return findOpenFiles(dataDir);
}
