/** Small symbol files in all formats, with only the parts that parsers read. */

const u16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
};
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
};
const u64 = (value: bigint | number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};
const padded = (text: string, length: number): Buffer => {
  const bytes = Buffer.alloc(length);
  bytes.write(text, 'latin1');
  return bytes;
};

export interface MachOptions {
  uuid?: string;
  cpu?: number;
  subtype?: number;
  text?: bigint;
  symbols?: readonly (readonly [name: string, address: bigint])[];
  hasDwarf?: boolean;
}

export function machO({
  uuid,
  cpu = 0x0100000c,
  subtype = 0,
  text = 0x100000000n,
  symbols = [],
  hasDwarf = true,
}: MachOptions): Buffer {
  const segment = (name: string, address: bigint) =>
    Buffer.concat([u32(0x19), u32(72), padded(name, 16), u64(address), Buffer.alloc(40)]);
  const before = [
    ...(uuid ? [Buffer.concat([u32(0x1b), u32(24), Buffer.from(uuid, 'hex')])] : []),
    segment('__TEXT', text),
    ...(hasDwarf ? [segment('__DWARF', text + 0x10000n)] : []),
  ];
  const size = before.reduce((sum, { length }) => sum + length, 0) + 24;
  const tableAt = 32 + size;
  const strings = Buffer.from(`\0${symbols.map(([name]) => `_${name}\0`).join('')}`);
  let nameAt = 1;
  const table = Buffer.concat(
    symbols.map(([name, address]) => {
      const entry = Buffer.concat([u32(nameAt), Buffer.from([0x0e, 1]), u16(0), u64(address)]);
      nameAt += name.length + 2;
      return entry;
    }),
  );
  const symtab = [2, 24, tableAt, symbols.length, tableAt + table.length, strings.length].map(u32);
  const commands = Buffer.concat([...before, ...symtab]);
  const head = [0xfeedfacf, cpu, subtype, 10, before.length + 1, size, 0, 0].map(u32);
  return Buffer.concat([...head, commands, table, strings]);
}

export function fatMachO(...slices: { cpu: number; content: Buffer }[]): Buffer {
  const be = (value: number): Buffer => Buffer.from(u32(value)).swap32();
  let at = 4096;
  const placed = slices.map(({ cpu, content }) => {
    const offset = at;
    at += Math.ceil(content.length / 4096) * 4096;
    return { cpu, content, offset };
  });
  const file = Buffer.alloc(at);
  Buffer.concat([
    be(0xcafebabe),
    be(slices.length),
    ...placed.flatMap(({ cpu, content, offset }) => [cpu, 0, offset, content.length, 12].map(be)),
  ]).copy(file);
  for (const { content, offset } of placed) content.copy(file, offset);
  return file;
}

/** A 64-bit ELF file with a note. */
export function elf({ buildId, machine = 183 }: { buildId?: string; machine?: number }): Buffer {
  const id = Buffer.from(buildId ?? '', 'hex');
  const note = buildId ? Buffer.concat([u32(4), u32(id.length), u32(3), Buffer.from('GNU\0'), id]) : Buffer.alloc(0);
  const head = Buffer.concat([
    Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
    u16(3),
    u16(machine),
    u32(1),
    u64(0),
    u64(64),
    u64(0),
    u32(0),
    ...[64, 56, 2, 64, 0, 0].map(u16),
  ]);
  const segment = (type: number, offset: number, size: number) =>
    Buffer.concat([u32(type), u32(5), u64(offset), u64(offset), u64(offset), u64(size), u64(size), u64(4)]);
  return Buffer.concat([head, segment(1, 0, 176 + note.length), segment(4, 176, note.length), note]);
}

export function pdb({ guid, age }: { guid: string; age: number }): Buffer {
  const size = 512;
  const file = Buffer.alloc(size * 5);
  file.write('Microsoft C/C++ MSF 7.00\r\n\x1aDS\0\0\0', 'latin1');
  for (const [value, at] of [
    [size, 32],
    [1, 36],
    [5, 40],
    [4 + 16 + 8, 44],
    [1, 52],
  ] as const)
    file.writeUInt32LE(value, at);
  // The block list of the directory, the directory, then the streams 1 and 3.
  file.writeUInt32LE(2, size);
  for (const [index, value] of [4, 0, 28, 0, 64, 3, 4].entries()) file.writeUInt32LE(value, size * 2 + index * 4);
  Buffer.from(guid, 'hex').copy(file, size * 3 + 12);
  file.writeUInt32LE(age, size * 4 + 8);
  return file;
}

export interface DumpOptions {
  cpu?: number;
  platform?: number;
  modules: readonly { base: bigint; size: number; path: string; buildId?: string; guid?: string; age?: number }[];
  threads: readonly { id: number; context: Buffer; stack: { start: bigint; content: Buffer } }[];
  crash?: { threadId: number; code: number; address: bigint; context: Buffer };
}

export const amd64Context = (registers: Readonly<Record<string, bigint>>): Buffer => {
  const bytes = Buffer.alloc(1232);
  // The processor and a complete header, which Breakpad checks.
  bytes.writeUInt32LE(0x10000b, 0x30);
  const names = ['rax', 'rcx', 'rdx', 'rbx', 'rsp', 'rbp', 'rsi', 'rdi'];
  for (const [index, name] of [...names, 'r8', 'r9', 'r10', 'r11', 'r12', 'r13', 'r14', 'r15', 'rip'].entries()) {
    bytes.writeBigUInt64LE(registers[name] ?? 0n, 0x78 + index * 8);
  }
  return bytes;
};

export const arm64Context = (registers: Readonly<Record<string, bigint>>): Buffer => {
  const bytes = Buffer.alloc(912);
  bytes.writeUInt32LE(0x400007, 0);
  for (let index = 0; index < 31; index++) bytes.writeBigUInt64LE(registers[`x${index}`] ?? 0n, 8 + index * 8);
  bytes.writeBigUInt64LE(registers.sp ?? 0n, 8 + 31 * 8);
  bytes.writeBigUInt64LE(registers.pc ?? 0n, 8 + 32 * 8);
  return bytes;
};

export const armContext = (registers: Readonly<Record<string, bigint>>): Buffer => {
  const bytes = Buffer.alloc(368);
  bytes.writeUInt32LE(0x40000006, 0);
  const names = [...Array.from({ length: 13 }, (_, index) => `r${index}`), 'sp', 'lr', 'pc'];
  for (const [index, name] of names.entries()) bytes.writeUInt32LE(Number(registers[name] ?? 0n), 4 + index * 4);
  return bytes;
};

/** Words of a stack, starting at its lowest address. */
export const words64 = (...values: bigint[]): Buffer => Buffer.concat(values.map(u64));
export const words32 = (...values: bigint[]): Buffer => Buffer.concat(values.map((value) => u32(Number(value))));

export function minidump({ cpu = 9, platform = 0x8203, modules, threads, crash }: DumpOptions): Buffer {
  const streams: { type: number; content: Buffer }[] = [];
  const extra: Buffer[] = [];
  const directoryAt = 32;
  const count = 3 + (crash ? 1 : 0);
  // All referenced parts come before the streams.
  let at = directoryAt + count * 12;
  const place = (content: Buffer): number => {
    const start = at;
    extra.push(content);
    at += content.length;
    return start;
  };
  const text = (value: string): number => {
    const bytes = Buffer.from(value, 'utf16le');
    return place(Buffer.concat([u32(bytes.length), bytes, u16(0)]));
  };
  const moduleEntries = modules.map(({ base, size, path, buildId, guid, age = 0 }) => {
    const record = guid
      ? Buffer.concat([Buffer.from('RSDS'), Buffer.from(guid, 'hex'), u32(age), Buffer.from('x\0')])
      : Buffer.concat([u32(0x4270454c), Buffer.from(buildId ?? '', 'hex')]);
    const [name, recordAt] = [text(path), place(record)];
    return Buffer.concat([
      u64(base),
      u32(size),
      u32(0),
      u32(0),
      u32(name),
      Buffer.alloc(52),
      u32(record.length),
      u32(recordAt),
      Buffer.alloc(24),
    ]);
  });
  const threadEntries = threads.map(({ id, context, stack }) =>
    Buffer.concat([
      u32(id),
      Buffer.alloc(20),
      u64(stack.start),
      u32(stack.content.length),
      u32(place(stack.content)),
      u32(context.length),
      u32(place(context)),
    ]),
  );
  const crashContext = crash && place(crash.context);
  streams.push(
    { type: 4, content: Buffer.concat([u32(modules.length), ...moduleEntries]) },
    { type: 3, content: Buffer.concat([u32(threads.length), ...threadEntries]) },
    {
      type: 7,
      content: Buffer.concat([u16(cpu), Buffer.alloc(6), u32(14), u32(0), u32(0), u32(platform), Buffer.alloc(28)]),
    },
  );
  if (crash && crashContext !== undefined) {
    const { threadId, code, address, context } = crash;
    const record = [u32(threadId), u32(0), u32(code), u32(0), u64(0), u64(address), Buffer.alloc(128)];
    streams.push({ type: 6, content: Buffer.concat([...record, u32(context.length), u32(crashContext)]) });
  }
  let streamAt = at;
  const directory = streams.map(({ type, content }) => {
    const entry = Buffer.concat([u32(type), u32(content.length), u32(streamAt)]);
    streamAt += content.length;
    return entry;
  });
  const head = Buffer.concat([
    Buffer.from('MDMP'),
    u32(0xa793),
    u32(streams.length),
    u32(directoryAt),
    Buffer.alloc(16),
  ]);
  return Buffer.concat([head, ...directory, ...extra, ...streams.map(({ content }) => content)]);
}
