import { createZip } from '../../../test-support/zip.ts';

const u32 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value >>> 0, index * 4);
  return bytes;
};

/** An arm64 Mach-O file with only its UUID. */
const machO = (uuid: string): Buffer =>
  Buffer.concat([u32(0xfeedfacf, 0x0100000c, 0, 10, 1, 24, 0, 0, 0x1b, 24), Buffer.from(uuid, 'hex')]);

/** A PDB with its ID. */
function pdb(guid: string, age: number): Buffer {
  const block = 512;
  const file = Buffer.alloc(block * 5);
  file.write('Microsoft C/C++ MSF 7.00\r\n\x1aDS\0\0\0', 'latin1');
  u32(block, 1, 5, 28, 0, 1).copy(file, 32);
  u32(2).copy(file, block);
  u32(4, 0, 28, 0, 64, 3, 4).copy(file, block * 2);
  Buffer.from(guid, 'hex').copy(file, block * 3 + 12);
  u32(age).copy(file, block * 4 + 8);
  return file;
}

const dwarf = 'Contents/Resources/DWARF/Shop';
const sym = `MODULE Linux arm64 ${'AB'.repeat(16)}0 libshop.so\nFUNC 0 10 0 pay\n`;

/** Symbol files in all formats that the client accepts. */
export const symbolFiles: Record<string, string | Buffer> = {
  [`Shop.app.dSYM/${dwarf}`]: machO('11'.repeat(16)),
  [`many/One.dSYM/${dwarf}`]: machO('22'.repeat(16)),
  [`many/Two.dSYM/${dwarf}`]: machO('33'.repeat(16)),
  [`Shop.xcarchive/dSYMs/Shop.app.dSYM/${dwarf}`]: machO('44'.repeat(16)),
  'symbols.zip': createZip({ name: `Zip.dSYM/${dwarf}`, content: machO('55'.repeat(16)) }),
  [`Native.app.dSYM/${dwarf}`]: machO('66'.repeat(16)),
  'index.map': '{"version":3,"sources":["a.ts"],"mappings":"AAAA"}',
  'breakpad.zip': createZip({ name: 'libshop.so.sym', content: sym }),
  'Shop.appxsym': createZip({ name: 'Shop.pdb', content: pdb('77'.repeat(16), 1) }),
  'empty.zip': createZip({ name: 'readme.txt', content: 'no symbols' }),
  'mapping.txt': 'org.shop.Cart -> a.b:\n    1:5:void pay():20:24 -> a\n',
};

/** The IDs that the server must know after all uploads. IDs of maps and mappings are derived from their content. */
export const symbolIds: string[] = [
  ...['11', '22', '33', '44', '55', '66'].map((pair) => pair.repeat(16)),
  `${'AB'.repeat(16)}0`,
  `${'77'.repeat(16)}-1`,
];
