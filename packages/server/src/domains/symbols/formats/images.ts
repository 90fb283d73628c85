/** A function and where in the source it is. */
export interface SourceLocation {
  method: string;
  file?: string | undefined;
  line?: number | undefined;
}

/** A piece of machine code that symbols are found by: a slice of a Mach-O file, an ELF file, a PDB. */
export interface Image {
  /** As reports say it: 32 lower hex digits of a Mach-O, a Breakpad id of an ELF file, guid-age of a PDB. */
  id: string;
  /** Other ways to say it, such as the whole build id. */
  otherIds: string[];
  arch: string;
  /** Where the file wants its first byte of code; reports count from there. */
  textAddress: string;
  /** Without it there are names of functions at most. */
  hasLines: boolean;
}

/** The first three fields of a GUID are little endian in files, and written as numbers. */
export const guidOf = (bytes: Buffer): string =>
  [
    bytes.readUInt32LE(0).toString(16).padStart(8, '0'),
    bytes.readUInt16LE(4).toString(16).padStart(4, '0'),
    bytes.readUInt16LE(6).toString(16).padStart(4, '0'),
    bytes.toString('hex', 8, 16),
  ].join('');

/** How Breakpad names what has a GNU build id: the first 16 bytes as a GUID, and an age of 0. */
export function breakpadIdOf(buildId: Buffer): string {
  const bytes = Buffer.alloc(16);
  buildId.copy(bytes, 0, 0, 16);
  return `${guidOf(bytes).toUpperCase()}0`;
}
