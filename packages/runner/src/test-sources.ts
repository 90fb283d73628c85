import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SuiteBroken, type Work } from './adapters/adapter.ts';

type SourceFile = Work['files'][number];

const AT_ONCE = 4;

/** Where a file of a suite belongs; one that leads out of its folder, or looks like it, is refused. */
export function placeOf(folder: string, given: string): string {
  const parts = given.replaceAll('\\', '/').split('/');
  const isBad = parts.some((part) => part === '' || part === '.' || part === '..' || part.includes('\0'));
  if (isBad || given.length > 1000 || /^[A-Za-z]:/.test(given))
    throw new SuiteBroken(
      `The suite has a file with a path that leads elsewhere: ${JSON.stringify(given.slice(0, 200))}.`,
    );
  return path.join(folder, ...parts);
}

async function receive(body: AsyncIterable<Uint8Array>, file: SourceFile, target: string, signal: AbortSignal) {
  const hash = createHash('sha256');
  let size = 0;
  const check = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      size += chunk.length;
      done(
        size > file.size ? new Error(`${file.path} is longer than the ${file.size} bytes that were uploaded.`) : null,
        chunk,
      );
    },
  });
  // A second file of the same name is no accident.
  await pipeline(body, check, createWriteStream(target, { flags: 'wx', mode: 0o600 }), { signal });
  if (hash.digest('hex') !== file.sha256.toLowerCase() || size !== file.size)
    throw new Error(`${file.path} did not arrive as it was uploaded.`);
}

export interface Sources {
  files: readonly SourceFile[];
  suite: string;
  /** Where the package of the app goes. */
  app: string;
  signal: AbortSignal;
  fetch(id: string): Promise<AsyncIterable<Uint8Array>>;
}

/** Fetches a suite, each file checked; says where the app is. */
export async function fetchSources({ files, suite, app, signal, fetch }: Sources): Promise<string | undefined> {
  const targets = files.map((file) => ({
    file,
    target:
      file.type === 'app-file' ? path.join(app, path.basename(placeOf(app, file.path))) : placeOf(suite, file.path),
  }));
  const waiting = [...targets];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { file, target } = next;
      await mkdir(path.dirname(target), { recursive: true });
      await receive(await fetch(file.id), file, target, signal);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return targets.find(({ file }) => file.type === 'app-file')?.target;
}
