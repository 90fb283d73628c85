import { hash } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { parseJson } from '../text/json.ts';

/** Settings that all servers on one data folder must share, by the name of the variable. */
export type SharedSettings = Readonly<Record<string, string | undefined>>;

interface Note {
  pid: number;
  host: string;
  /** Hashes, because a value may be a secret. */
  settings: Record<string, string>;
}

const hashAll = (settings: SharedSettings): Note['settings'] =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, hash('sha256', value ?? '', 'hex')]));

function readNote(file: string): Note | undefined {
  try {
    const note = parseJson(readFileSync(file, 'utf8')) as Partial<Note> | null;
    return typeof note?.pid === 'number' && typeof note.settings === 'object' ? (note as Note) : undefined;
  } catch {
    // The file does not exist, or a power failure truncated it.
    return undefined;
  }
}

/** Processes of other machines can't be checked, and count as running. */
function isRunning({ pid, host }: Note): boolean {
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Writes the settings of this server to the data folder, as hashes. Returns a warning if another running server there
 * has other values, and a function that removes the note.
 */
export function noteSettings(dataDir: string, settings: SharedSettings, pid = process.pid) {
  const file = path.join(dataDir, 'server.json');
  const own: Note = { pid, host: hostname(), settings: hashAll(settings) };
  const other = readNote(file);
  const differing =
    other && other.pid !== pid && isRunning(other)
      ? Object.keys(own.settings).filter((name) => other.settings[name] !== own.settings[name])
      : [];
  const draft = `${file}.${pid}`;
  writeFileSync(draft, JSON.stringify(own), { mode: 0o600 });
  renameSync(draft, file);
  const warning =
    other && differing.length > 0
      ? `Another server (process ${other.pid} on ${other.host}) uses the data folder ${dataDir} with other settings: ${differing.join(', ')}. Use the same values for both, or set another MOORING_DATA_DIR for this server.`
      : undefined;
  return {
    warning,
    remove(): void {
      if (readNote(file)?.pid === pid) rmSync(file, { force: true });
    },
  };
}
