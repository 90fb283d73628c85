import { open } from 'node:fs/promises';
import { Unreadable } from '../../../workers/unreadable.ts';
import { openArchive } from './archive.ts';
import type { PackageMetadata } from './package-metadata.ts';

async function bytesAt(file: string, from: 'start' | 'end', length: number): Promise<string> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const at = from === 'start' ? 0 : Math.max(0, size - length);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, at);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Packages whose version the uploader sends: only the file signature is checked. */
const marks: Record<'dmg' | 'pkg' | 'msi', { from: 'start' | 'end'; length: number; mark: string; what: string }> = {
  dmg: { from: 'end', length: 512, mark: 'koly', what: 'a disk image' },
  pkg: { from: 'start', length: 4, mark: 'xar!', what: 'an installer package' },
  msi: { from: 'start', length: 8, mark: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', what: 'a Windows installer' },
};

export async function checkMark(file: string, kind: 'dmg' | 'pkg' | 'msi'): Promise<PackageMetadata> {
  const { from, length, mark, what } = marks[kind];
  if (!(await bytesAt(file, from, length)).startsWith(mark))
    throw new Unreadable(`The file is not ${what}, although its name says so.`);
  return {};
}

export async function checkZip(file: string): Promise<PackageMetadata> {
  await openArchive(file);
  return {};
}
