import { fstatSync, readSync } from 'node:fs';
import { Unreadable } from '../../../workers/unreadable.ts';

/** Random access to a file, so that files of several gigabytes don't have to fit into memory. */
export interface Source {
  readonly size: number;
  /** Returns exactly this many bytes; throws past the end. */
  read(offset: number, length: number): Buffer;
}

function check(size: number, offset: number, length: number): void {
  if (!(offset >= 0 && length >= 0 && offset + length <= size)) {
    throw new Unreadable('The file refers to bytes past its end. Check whether it is complete.');
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
        if (more === 0) throw new Unreadable('The file ends too early.');
        read += more;
      }
      return content;
    },
  };
}

/** Buffers a moving window, so that many small reads become few large ones. */
export function windowed(source: Source, window = 65_536): Source {
  let start = 0;
  let buffered: Buffer = Buffer.alloc(0);
  return {
    size: source.size,
    read(offset, length) {
      if (length > window) return source.read(offset, length);
      if (offset < start || offset + length > start + buffered.length) {
        check(source.size, offset, length);
        start = offset;
        buffered = source.read(offset, Math.min(window, source.size - offset));
      }
      return buffered.subarray(offset - start, offset - start + length);
    },
  };
}

/** Reads text up to the first NUL. */
export function cString(content: Buffer): string {
  const end = content.indexOf(0);
  return content.toString('utf8', 0, end === -1 ? content.length : end);
}

const MAX_NAME = 4_096;

/** Reads a name from a string table, which can be larger than memory; empty if outside of the table. */
export function readName(source: Source, { offset, size }: { offset: number; size: number }, at: number): string {
  const length = Math.min(MAX_NAME, size - at, source.size - offset - at);
  return length > 0 ? cString(source.read(offset + at, length)) : '';
}
