import { fstatSync, readSync } from 'node:fs';
import { Unreadable } from '../../../workers/unreadable.ts';

/** Something to read pieces of, so that a file of gigabytes need not be in memory. */
export interface Source {
  readonly size: number;
  /** Exactly so many bytes; what would go past the end is refused. */
  read(offset: number, length: number): Buffer;
}

function check(size: number, offset: number, length: number): void {
  if (!(offset >= 0 && length >= 0 && offset + length <= size)) {
    throw new Unreadable('It refers to bytes past its end; is it complete?');
  }
}

export const bufferSource = (content: Buffer): Source => ({
  size: content.length,
  read(offset, length) {
    check(content.length, offset, length);
    return content.subarray(offset, offset + length);
  },
});

export function fileSource(handle: number): Source {
  const { size } = fstatSync(handle);
  return {
    size,
    read(offset, length) {
      check(size, offset, length);
      const content = Buffer.alloc(length);
      let read = 0;
      while (read < length) {
        const more = readSync(handle, content, read, length - read, offset + read);
        if (more === 0) throw new Unreadable('It ends too early.');
        read += more;
      }
      return content;
    },
  };
}

/** A window of some bytes that is moved along: many small reads become few large ones. */
export function windowed(source: Source, window = 65_536): Source {
  let start = 0;
  let held: Buffer = Buffer.alloc(0);
  return {
    size: source.size,
    read(offset, length) {
      if (length > window) return source.read(offset, length);
      if (offset < start || offset + length > start + held.length) {
        check(source.size, offset, length);
        start = offset;
        held = source.read(offset, Math.min(window, source.size - offset));
      }
      return held.subarray(offset - start, offset - start + length);
    },
  };
}

/** Text up to the first NUL. */
export function cString(content: Buffer): string {
  const end = content.indexOf(0);
  return content.toString('utf8', 0, end === -1 ? content.length : end);
}

const MAX_NAME = 4_096;

/** A name in a table of strings, which can be larger than memory; none if it is not in the table. */
export function readName(source: Source, { offset, size }: { offset: number; size: number }, at: number): string {
  const length = Math.min(MAX_NAME, size - at, source.size - offset - at);
  return length > 0 ? cString(source.read(offset + at, length)) : '';
}
