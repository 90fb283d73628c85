import type { BreakpadSymbols } from './breakpad.ts';
import { type Cpu, type DumpModule, lastAtOrBefore, type Minidump, type Registers, wordSize } from './minidump.ts';

/** More than people read; the result says if frames were omitted. */
export const MAX_FRAMES = 1_024;
const SCANNED_WORDS = 40;
const SCANNED_WORDS_FIRST = 160;
const MAX_EXPRESSION = 256;

/** How a frame was found, in descending order of certainty. */
export type Trust = 'context' | 'cfi' | 'frame-pointer' | 'link-register' | 'scan';

export interface WalkedFrame {
  /** Address of the instruction; for callers, that of the call, not the return address. */
  address: bigint;
  module: DumpModule | undefined;
  trust: Trust;
}

export interface WalkedStack {
  frames: WalkedFrame[];
  isCut: boolean;
}

const names: Readonly<Record<Cpu, { pc: string; sp: string; fp: string; lr?: string }>> = {
  x86: { pc: '$eip', sp: '$esp', fp: '$ebp' },
  x86_64: { pc: '$rip', sp: '$rsp', fp: '$rbp' },
  arm: { pc: 'pc', sp: 'sp', fp: 'r11', lr: 'lr' },
  arm64: { pc: 'pc', sp: 'sp', fp: 'x29', lr: 'x30' },
};

/** Registers that a called function preserves. */
const preserved: Readonly<Record<Cpu, readonly string[]>> = {
  x86: ['$ebx', '$esi', '$edi', '$ebp'],
  x86_64: ['$rbx', '$rbp', '$r12', '$r13', '$r14', '$r15'],
  arm: ['r4', 'r5', 'r6', 'r7', 'r8', 'r9', 'r10', 'r11'],
  arm64: Array.from({ length: 11 }, (_, index) => `x${19 + index}`),
};

/** Evaluates a postfix expression such as `$rsp 8 + ^`; undefined if impossible. */
function evaluate(
  expression: string,
  registers: Registers,
  cfa: bigint | undefined,
  { readWord, mask }: { readWord: Minidump['readWord']; mask: bigint },
): bigint | undefined {
  const stack: bigint[] = [];
  const tokens = expression.split(' ').filter((token) => token !== '');
  if (tokens.length > MAX_EXPRESSION) return undefined;
  for (const token of tokens) {
    if (['+', '-', '*', '/', '%', '@'].includes(token)) {
      const right = stack.pop();
      const left = stack.pop();
      if (left === undefined || right === undefined) return undefined;
      if ((token === '/' || token === '%' || token === '@') && right === 0n) return undefined;
      const results: Record<string, () => bigint> = {
        '+': () => left + right,
        '-': () => left - right,
        '*': () => left * right,
        '/': () => left / right,
        '%': () => left % right,
        '@': () => left - (left % right),
      };
      stack.push((results[token]?.() ?? 0n) & mask);
    } else if (token === '^') {
      const at = stack.pop();
      const value = at === undefined ? undefined : readWord(at);
      if (value === undefined) return undefined;
      stack.push(value);
    } else if (token === '.cfa') {
      if (cfa === undefined) return undefined;
      stack.push(cfa);
    } else if (/^-?\d{1,19}$/.test(token)) stack.push(BigInt(token) & mask);
    else {
      const value = registers.get(token) ?? registers.get(`$${token}`);
      if (value === undefined) return undefined;
      stack.push(value);
    }
  }
  return stack.length === 1 ? stack[0] : undefined;
}

export function walkStack(
  dump: Minidump,
  start: Registers,
  getSymbols: (module: DumpModule) => BreakpadSymbols | undefined,
  most = MAX_FRAMES,
): WalkedStack {
  const { cpu, modules, readWord } = dump;
  const { pc, sp, fp, lr } = names[cpu];
  const word = BigInt(wordSize(cpu));
  const mask = (1n << (word * 8n)) - 1n;
  const top = modules.at(-1);
  const highest = top ? top.base + BigInt(top.size) : 0n;
  // Signed pointers of arm64 contain a signature in bits that addresses do not use.
  const addressBits = cpu === 'arm64' && highest > 0n ? (1n << BigInt(highest.toString(2).length)) - 1n : mask;
  const codeAddress = (value: bigint): bigint =>
    cpu === 'arm' ? value & ~1n : cpu === 'arm64' ? value & addressBits : value;
  const moduleAt = (address: bigint): DumpModule | undefined => {
    const module = lastAtOrBefore(modules, address, ({ base }) => base);
    return module && address < module.base + BigInt(module.size) ? module : undefined;
  };
  const seemsCode = (address: bigint): boolean => {
    const module = moduleAt(address);
    if (!module) return false;
    const symbols = getSymbols(module);
    return symbols === undefined || symbols.find(Number(address - module.base)).length > 0;
  };

  const functionAt = (address: bigint): string | undefined => {
    const module = moduleAt(address);
    return (
      module &&
      getSymbols(module)
        ?.find(Number(address - module.base))
        .at(-1)?.method
    );
  };

  /**
   * A leaf function has its return address in a register; in any other, that register points into the function itself.
   */
  function isLeaf(registers: Registers, address: bigint): boolean {
    const link = lr === undefined ? undefined : registers.get(lr);
    if (link === undefined) return false;
    if (moduleAt(address) === undefined) return true;
    const [own, called] = [functionAt(address), functionAt(codeAddress(link) - 1n)];
    const frame = registers.get(fp);
    const stored = frame === undefined ? undefined : readWord(frame + word);
    return own !== undefined && called !== undefined && own !== called && stored !== link;
  }

  function byRules(registers: Registers, address: bigint): Registers | undefined {
    const module = moduleAt(address);
    const rules = module && getSymbols(module)?.unwindRules(Number(address - module.base));
    if (!rules) return undefined;
    const memory = { readWord, mask };
    const cfa = evaluate(rules.get('.cfa') ?? '', registers, undefined, memory);
    const returnAddress = cfa === undefined ? undefined : evaluate(rules.get('.ra') ?? '', registers, cfa, memory);
    if (cfa === undefined || returnAddress === undefined) return undefined;
    const caller: Registers = new Map();
    for (const name of preserved[cpu]) {
      const value = registers.get(name);
      if (value !== undefined) caller.set(name, value);
    }
    for (const [name, rule] of rules) {
      if (name.startsWith('.')) continue;
      const known = registers.has(name) ? name : `$${name}`;
      const value = evaluate(rule, registers, cfa, memory);
      if (value !== undefined) caller.set(known, value);
    }
    caller.set(sp, cfa);
    caller.set(pc, codeAddress(returnAddress));
    return caller;
  }

  function byFramePointer(registers: Registers): Registers | undefined {
    // Thumb code of iOS uses r7.
    const pointer = cpu === 'arm' && dump.os === 'iOS' ? 'r7' : fp;
    const frame = registers.get(pointer);
    const stack = registers.get(sp);
    if (frame === undefined || stack === undefined || frame < stack) return undefined;
    const callerFrame = readWord(frame);
    const returnAddress = readWord(frame + word);
    if (callerFrame === undefined || returnAddress === undefined) return undefined;
    const address = codeAddress(returnAddress);
    if (!seemsCode(address - 1n)) return undefined;
    return new Map([
      [pc, address],
      [pointer, callerFrame],
      [sp, frame + word * 2n],
    ]);
  }

  function byScan(registers: Registers, isFirst: boolean): Registers | undefined {
    const from = registers.get(sp);
    if (from === undefined) return undefined;
    for (let at = 0n; at < (isFirst ? SCANNED_WORDS_FIRST : SCANNED_WORDS); at++) {
      const value = readWord(from + at * word);
      if (value === undefined) return undefined;
      const address = codeAddress(value);
      if (!seemsCode(address - 1n)) continue;
      const caller: Registers = new Map([
        [pc, address],
        [sp, from + (at + 1n) * word],
      ]);
      // On Intel, the caller's frame pointer is pushed after the return address.
      const pushed = at > 0n && !lr ? readWord(from + (at - 1n) * word) : registers.get(fp);
      if (pushed !== undefined) caller.set(fp, pushed);
      return caller;
    }
    return undefined;
  }

  function byLinkRegister(registers: Registers): Registers | undefined {
    const link = lr === undefined ? undefined : registers.get(lr);
    if (link === undefined || lr === undefined) return undefined;
    const address = codeAddress(link);
    if (!seemsCode(address - 1n) || address === registers.get(pc)) return undefined;
    const caller = new Map(registers);
    caller.delete(lr);
    caller.set(pc, address);
    return caller;
  }

  let registers = start;
  let trust: Trust = 'context';
  const frames: WalkedFrame[] = [];
  while (true) {
    const counter = registers.get(pc);
    if (counter === undefined) break;
    const isFirst = frames.length === 0;
    const address = isFirst ? codeAddress(counter) : counter - 1n;
    frames.push({ address, module: moduleAt(address), trust });
    if (frames.length >= most) return { frames, isCut: true };
    const ways: [Trust, () => Registers | undefined][] = [
      ['cfi', () => byRules(registers, address)],
      ['link-register', () => (isFirst && isLeaf(registers, address) ? byLinkRegister(registers) : undefined)],
      ['frame-pointer', () => byFramePointer(registers)],
      ['scan', () => byScan(registers, isFirst)],
    ];
    let caller: Registers | undefined;
    for (const [way, find] of ways) {
      caller = find();
      trust = way;
      if (caller) break;
    }
    const before = registers.get(sp);
    const after = caller?.get(sp);
    const canUseLink = isFirst && trust !== 'scan' && lr !== undefined;
    if (!caller || before === undefined || after === undefined) break;
    // A stack pointer that does not advance would never end.
    if (after < before || (after === before && !canUseLink)) break;
    if (caller.get(pc) === 0n) break;
    registers = caller;
  }
  return { frames, isCut: false };
}
