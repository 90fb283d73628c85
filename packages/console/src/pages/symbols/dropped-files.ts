/** A file with its place in the folder that was dropped. */
export interface DroppedFile {
  path: string;
  file: File;
}

const MOST_FILES = 2000;

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject));

/** A browser tells some of a folder at a time, until it tells none. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0 || all.length > MOST_FILES) return all;
    all.push(...some);
  }
}

/** Files that were dropped, with those in folders: a dSYM is a folder. */
export async function readDropped({ items }: DataTransfer): Promise<DroppedFile[]> {
  // Read before anything is waited for: what was dropped is gone after the event.
  const left = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const found: DroppedFile[] = [];
  for (let entry = left.shift(); entry && found.length < MOST_FILES; entry = left.shift()) {
    if (entry.isDirectory) left.push(...(await entriesOf(entry as FileSystemDirectoryEntry)));
    else found.push({ path: entry.fullPath.replace(/^\//, ''), file: await fileOf(entry as FileSystemFileEntry) });
  }
  return found;
}
