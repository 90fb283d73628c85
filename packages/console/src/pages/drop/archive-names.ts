/** The end record of an archive, with the longest comment. */
const END_BYTES = 22 + 65_535;
/** Larger lists of files are read in part: the first names are enough. */
const MAX_LIST_BYTES = 4 * 1024 * 1024;
const END = 0x06054b50;
const ENTRY = 0x02014b50;
const ENTRY_BYTES = 46;

const view = async (file: File, from: number, to: number): Promise<DataView> =>
  new DataView(await file.slice(from, to).arrayBuffer());

/** Names of the files in a ZIP archive, from its list at the end. Empty if it can't be read. */
export async function readArchiveNames(file: File): Promise<string[]> {
  const start = Math.max(0, file.size - END_BYTES);
  const tail = await view(file, start, file.size);
  let at = tail.byteLength - 22;
  while (at >= 0 && tail.getUint32(at, true) !== END) at -= 1;
  if (at < 0) return [];
  const [size, from] = [tail.getUint32(at + 12, true), tail.getUint32(at + 16, true)];
  const list = await view(file, from, Math.min(from + Math.min(size, MAX_LIST_BYTES), file.size));
  const names: string[] = [];
  for (let entry = 0; entry + ENTRY_BYTES <= list.byteLength && list.getUint32(entry, true) === ENTRY; ) {
    const nameLength = list.getUint16(entry + 28, true);
    const rest = list.getUint16(entry + 30, true) + list.getUint16(entry + 32, true);
    const nameAt = entry + ENTRY_BYTES;
    if (nameAt + nameLength > list.byteLength) break;
    names.push(new TextDecoder().decode(new Uint8Array(list.buffer, nameAt, nameLength)));
    entry = nameAt + nameLength + rest;
  }
  return names;
}
