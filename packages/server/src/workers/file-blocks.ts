import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { RandomAccessReader } from 'yauzl';

const BLOCK = 256 * 1024;

/** Reads a file for yauzl, which needs two small reads for each entry: serves them from a larger block. */
export class FileBlocks extends RandomAccessReader {
  readonly #file: FileHandle;
  #block = Buffer.alloc(0);
  #start = 0;

  constructor(file: FileHandle) {
    super();
    this.#file = file;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#pieces(start, end), { objectMode: false });
  }

  override read(
    target: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null) => void,
  ): void {
    const isHere = position >= this.#start && position + length <= this.#start + this.#block.length;
    if (isHere) {
      this.#block.copy(target, offset, position - this.#start, position - this.#start + length);
      done(null);
      return;
    }
    void this.#load(position, Math.max(BLOCK, length)).then(
      () =>
        this.#block.length < length
          ? done(new Error('unexpected end of the file'))
          : this.read(target, offset, length, position, done),
      done,
    );
  }

  /** A stream of the file handle would close it. */
  async *#pieces(start: number, end: number): AsyncGenerator<Buffer> {
    for (let at = start; at < end; ) {
      const length = Math.min(BLOCK, end - at);
      const { buffer, bytesRead } = await this.#file.read(Buffer.allocUnsafe(length), 0, length, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  async #load(position: number, length: number): Promise<void> {
    const { buffer, bytesRead } = await this.#file.read(Buffer.allocUnsafe(length), 0, length, position);
    this.#block = buffer.subarray(0, bytesRead);
    this.#start = position;
  }
}
