import { open } from 'node:fs/promises';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { Unreadable } from '../../../workers/unreadable.ts';
import type { PackageMetadata } from './package-metadata.ts';
import { unxz } from './xz.ts';

const MAX_BYTES = 16 * 1024 * 1024;

async function readStart(file: string, length: number): Promise<Buffer> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Finds the file `control` in a tar archive. */
function controlIn(tar: Buffer): string {
  for (let at = 0; at + 512 <= tar.length; ) {
    const name = tar.toString('latin1', at, at + 100).replace(/\0.*$/s, '');
    const size = Number.parseInt(tar.toString('latin1', at + 124, at + 136), 8) || 0;
    if (size < 0) throw new Unreadable('The control archive of the package is damaged.');
    if (name.replace(/^\.\//, '') === 'control') return tar.toString('utf8', at + 512, at + 512 + size);
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return '';
}

const unpackers: Record<string, (bytes: Buffer) => Buffer> = {
  'control.tar': (bytes) => bytes,
  'control.tar.gz': (bytes) => gunzipSync(bytes, { maxOutputLength: MAX_BYTES }),
  'control.tar.xz': (bytes) => unxz(bytes, MAX_BYTES),
  'control.tar.zst': (bytes) => zstdDecompressSync(bytes, { maxOutputLength: MAX_BYTES }),
};

function inflated(name: string, bytes: Buffer): Buffer {
  const unpack = unpackers[name.replace(/\/$/, '')];
  if (!unpack) throw new Unreadable(`${name} in the package uses an unsupported compression.`);
  try {
    return unpack(bytes);
  } catch (error) {
    throw error instanceof Unreadable
      ? error
      : new Unreadable(`${name} in the package is damaged, or larger than ${MAX_BYTES} bytes.`);
  }
}

/** Reads the control file of a Debian package. */
export async function readDeb(file: string): Promise<PackageMetadata> {
  const bytes = await readStart(file, MAX_BYTES);
  if (bytes.toString('latin1', 0, 8) !== '!<arch>\n')
    throw new Unreadable('The file does not start like a Debian package.');
  for (let at = 8; at + 60 <= bytes.length; ) {
    const name = bytes.toString('latin1', at, at + 16).trim();
    const size = Number(bytes.toString('latin1', at + 48, at + 58));
    if (!(size >= 0)) break;
    if (name.startsWith('control.tar')) {
      const tar = inflated(name, bytes.subarray(at + 60, at + 60 + size));
      const fields = new Map(
        controlIn(tar)
          .split('\n')
          .flatMap((line) => {
            const [, key, value] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
            return key ? [[key.toLowerCase(), value ?? ''] as const] : [];
          }),
      );
      const version = fields.get('version');
      return {
        bundleIdentifier: fields.get('package'),
        version,
        shortVersion: version,
        architectures: [fields.get('architecture') ?? []].flat(),
      };
    }
    at += 60 + size + (size % 2);
  }
  throw new Unreadable('The package has no control archive.');
}

const tags: Record<number, 'name' | 'version' | 'release' | 'arch'> = {
  1000: 'name',
  1001: 'version',
  1002: 'release',
  1022: 'arch',
};

/** Size of an RPM header: the number of entries and the length of the text, then both. */
const headerSize = (bytes: Buffer, at: number): number =>
  16 + bytes.readUInt32BE(at + 8) * 16 + bytes.readUInt32BE(at + 12);

export async function readRpm(file: string): Promise<PackageMetadata> {
  const bytes = await readStart(file, MAX_BYTES);
  if (bytes.length < 112 || bytes.readUInt32BE(0) !== 0xedabeedb) {
    throw new Unreadable('The file does not start like an RPM package.');
  }
  try {
    // The lead, then the signature header, padded to eight bytes.
    const header = 96 + Math.ceil(headerSize(bytes, 96) / 8) * 8;
    const count = bytes.readUInt32BE(header + 8);
    const texts = header + 16 + count * 16;
    const found: Partial<Record<'name' | 'version' | 'release' | 'arch', string>> = {};
    for (let number = 0; number < count && number < 10_000; number += 1) {
      const entry = header + 16 + number * 16;
      const tag = tags[bytes.readUInt32BE(entry)];
      const start = texts + bytes.readUInt32BE(entry + 8);
      // Keeps the first of each tag: many entries could refer to one long text.
      if (tag && found[tag] === undefined) found[tag] = bytes.toString('utf8', start, bytes.indexOf(0, start));
    }
    const { name, version, release, arch } = found;
    return {
      bundleIdentifier: name,
      shortVersion: version,
      version: version && release ? `${version}-${release}` : version,
      architectures: arch ? [arch] : [],
    };
  } catch (error) {
    if (error instanceof RangeError) throw new Unreadable('The header of the package is damaged.');
    throw error;
  }
}

const processors: Record<number, string> = { 3: 'i386', 40: 'armhf', 62: 'x86_64', 183: 'aarch64' };

export async function readAppImage(file: string): Promise<PackageMetadata> {
  const bytes = await readStart(file, 64);
  const isElf = bytes.toString('latin1', 0, 4) === '\x7fELF';
  if (!isElf || bytes.length < 20 || bytes.toString('latin1', 8, 10) !== 'AI') {
    throw new Unreadable('The file does not start like an AppImage.');
  }
  return { architectures: [processors[bytes.readUInt16LE(18)] ?? []].flat() };
}
