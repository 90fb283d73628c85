/** A file with its path in the dropped folder. */
export interface DroppedFile {
  path: string;
  file: File;
}

const MAX_FILES = 2000;

const readFile = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject));

/** Browsers list a folder in batches; an empty batch ends it. */
async function readEntries(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0 || all.length > MAX_FILES) return all;
    all.push(...some);
  }
}

/** Dropped files, including those in folders: a dSYM is a folder. */
export async function readDropped({ items }: DataTransfer): Promise<DroppedFile[]> {
  // Collected synchronously: the browser clears the drop data after the event.
  const remaining: FileSystemEntry[] = [];
  const files: DroppedFile[] = [];
  for (const item of items) {
    const entry = item.webkitGetAsEntry();
    // Files that are not on disk, such as an attachment of an email, have no entry.
    const file = entry ? null : item.getAsFile();
    if (entry) remaining.push(entry);
    else if (file) files.push({ path: file.name, file });
  }
  for (let entry = remaining.shift(); entry && files.length < MAX_FILES; entry = remaining.shift()) {
    if (entry.isDirectory) remaining.push(...(await readEntries(entry as FileSystemDirectoryEntry)));
    else files.push({ path: entry.fullPath.replace(/^\//, ''), file: await readFile(entry as FileSystemFileEntry) });
  }
  return files;
}
