import { link, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { HOUR } from '../../../kernel/clock.ts';
import { randomBase62 } from '../../../kernel/crypto/crypto.ts';
import { DestinationError, type FileStore } from './destination.ts';

const DRAFT = '.draft';

/** No write takes this long: the process was killed. */
const ABANDONED = HOUR;

/** Deletes drafts of this file that killed processes left. */
async function sweepDrafts(file: string): Promise<void> {
  const beginning = `${path.basename(file)}.`;
  for (const name of await readdir(path.dirname(file))) {
    if (!name.startsWith(beginning) || !name.endsWith(DRAFT)) continue;
    const draft = path.join(path.dirname(file), name);
    const since = (await stat(draft).catch(() => undefined))?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (since < Date.now() - ABANDONED) await rm(draft, { force: true });
  }
}

/** Files in a folder of this machine. Validates names, so that no path leads out of the folder. */
export function folderStore(folder: string): FileStore {
  const failed = (cause: unknown) => {
    const { code, message } = cause as NodeJS.ErrnoException;
    return new DestinationError(`Can't write to the export folder: ${code ?? message}.`, { cause });
  };
  const store: FileStore = {
    kind: 'files',
    exists: (name) =>
      stat(path.join(folder, name)).then(
        () => true,
        () => false,
      ),
    async put({ path: name, bytes }, isOurs = false) {
      if (!name.split('/').every((part) => /^[\w-][\w.-]*$/.test(part))) throw new Error(`Invalid file name: ${name}`);
      const file = path.join(folder, name);
      const draft = `${file}.${randomBase62(8)}${DRAFT}`;
      try {
        await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
        await sweepDrafts(file);
        const handle = await open(draft, 'wx', 0o600);
        try {
          await handle.writeFile(bytes);
          await handle.sync();
        } finally {
          await handle.close();
        }
        // Unlike a rename, a link never replaces an existing file.
        await link(draft, file);
        return 'written';
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw failed(error);
        return isOurs || (await readFile(file)).equals(bytes) ? 'written' : 'taken';
      } finally {
        await rm(draft, { force: true }).catch(() => undefined);
      }
    },
    async check() {
      const name = `mooring-check-${randomBase62(8)}`;
      await store.put({ path: name, bytes: Buffer.from('x'), type: 'text/plain', tag: name, isRecords: false });
      await rm(path.join(folder, name)).catch((error: unknown) => {
        throw failed(error);
      });
    },
  };
  return store;
}
