/** The address that the stub declares as preferred. */
export const STUB_BASE = 0x1_8000_0000n;
const FILE_ALIGNMENT = 512;
const SECTION_ALIGNMENT = 4096;
/** One section covers all code: offsets of the largest programs are below. */
const CODE_SIZE = 0x7000_0000;
const HEADERS_SIZE = FILE_ALIGNMENT;

const X86_64 = 0x8664;
const ENTRY_SIZE = 28;
const CODEVIEW = 2;

/** Bytes of a GUID in the order of files, from its hexadecimal digits. */
function guidBytes(guid: string): Buffer {
  const bytes = Buffer.from(guid, 'hex');
  return Buffer.concat([
    bytes.subarray(0, 4).reverse(),
    bytes.subarray(4, 6).reverse(),
    bytes.subarray(6, 8).reverse(),
    bytes.subarray(8),
  ]);
}

/**
 * A Windows library without code that refers to a PDB beside it. llvm-symbolizer reads a PDB only through its program, which
 * few people upload.
 */
export function createPeStub({ guid, age, pdbName }: { guid: string; age: number; pdbName: string }): Buffer {
  const record = Buffer.concat([Buffer.from('RSDS'), guidBytes(guid), Buffer.alloc(4), Buffer.from(`${pdbName}\0`)]);
  record.writeUInt32LE(age, 20);
  const file = Buffer.alloc(HEADERS_SIZE + FILE_ALIGNMENT);
  file.write('MZ', 0, 'latin1');
  file.writeUInt32LE(64, 60);
  file.write('PE\0\0', 64, 'latin1');
  const coff = 68;
  file.writeUInt16LE(X86_64, coff);
  file.writeUInt16LE(1, coff + 2);
  file.writeUInt16LE(240, coff + 16);
  file.writeUInt16LE(0x2022, coff + 18);
  const optional = coff + 20;
  file.writeUInt16LE(0x20b, optional);
  file.writeBigUInt64LE(STUB_BASE, optional + 24);
  file.writeUInt32LE(SECTION_ALIGNMENT, optional + 32);
  file.writeUInt32LE(FILE_ALIGNMENT, optional + 36);
  file.writeUInt16LE(6, optional + 48);
  file.writeUInt32LE(SECTION_ALIGNMENT + CODE_SIZE, optional + 56);
  file.writeUInt32LE(HEADERS_SIZE, optional + 60);
  file.writeUInt16LE(3, optional + 68);
  file.writeUInt32LE(16, optional + 108);
  const debugDirectory = optional + 112 + 6 * 8;
  file.writeUInt32LE(SECTION_ALIGNMENT, debugDirectory);
  file.writeUInt32LE(ENTRY_SIZE, debugDirectory + 4);
  const section = optional + 240;
  file.write('.text', section, 'latin1');
  file.writeUInt32LE(CODE_SIZE, section + 8);
  file.writeUInt32LE(SECTION_ALIGNMENT, section + 12);
  file.writeUInt32LE(FILE_ALIGNMENT, section + 16);
  file.writeUInt32LE(HEADERS_SIZE, section + 20);
  file.writeUInt32LE(0x60000020, section + 36);
  const entry = HEADERS_SIZE;
  file.writeUInt32LE(CODEVIEW, entry + 12);
  file.writeUInt32LE(record.length, entry + 16);
  file.writeUInt32LE(SECTION_ALIGNMENT + ENTRY_SIZE, entry + 20);
  file.writeUInt32LE(HEADERS_SIZE + ENTRY_SIZE, entry + 24);
  record.copy(file, entry + ENTRY_SIZE);
  return file;
}
