/** A function and its source location. */
export interface SourceLocation {
  method: string;
  file?: string | undefined;
  line?: number | undefined;
}

/** An executable image that symbols belong to: a slice of a Mach-O file, an ELF file, a PDB. */
export interface Image {
  /** ID in reports: 32 lower-case hex digits for Mach-O, a Breakpad ID for ELF, guid-age for PDB. */
  id: string;
  /** Alternative IDs, such as the full build ID. */
  otherIds: string[];
  arch: string;
  /** Preferred address of the first byte of code; offsets in reports start there. */
  textAddress: string;
  /** If false, only names of functions are available. */
  hasLines: boolean;
}

/** The first three fields of a GUID are little-endian in files. */
export const formatGuid = (bytes: Buffer): string =>
  [
    bytes.readUInt32LE(0).toString(16).padStart(8, '0'),
    bytes.readUInt16LE(4).toString(16).padStart(4, '0'),
    bytes.readUInt16LE(6).toString(16).padStart(4, '0'),
    bytes.toString('hex', 8, 16),
  ].join('');

/** The Breakpad ID for a GNU build ID: the first 16 bytes as a GUID, and age 0. */
export function toBreakpadId(buildId: Buffer): string {
  const bytes = Buffer.alloc(16);
  buildId.copy(bytes, 0, 0, 16);
  return `${formatGuid(bytes).toUpperCase()}0`;
}
