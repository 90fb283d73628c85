import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SuiteBroken, type Work } from './adapters/adapter.ts';

type SourceFile = Work['files'][number];

const CONCURRENCY = 4;

/** Resolves the path of a suite file, and rejects paths that could leave the folder. */
export function resolveInside(folder: string, name: string): string {
  const parts = name.replaceAll('\\', '/').split('/');
  const isUnsafe = parts.some((part) => part === '' || part === '.' || part === '..' || part.includes('\0'));
  if (isUnsafe || name.length > 1000 || /^[A-Za-z]:/.test(name))
    throw new SuiteBroken(`Invalid path in the suite: ${JSON.stringify(name.slice(0, 200))}.`);
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
        size > file.size ? new Error(`${file.path} is larger than the uploaded file (${file.size} bytes).`) : null,
        chunk,
      );
    },
  });
  // 'wx' rejects a second file of the same name.
  await pipeline(body, check, createWriteStream(target, { flags: 'wx', mode: 0o600 }), { signal });
  if (hash.digest('hex') !== file.sha256.toLowerCase() || size !== file.size)
    throw new Error(`${file.path} is corrupt: its checksum differs from the upload.`);
}

export interface Sources {
  files: readonly SourceFile[];
  suite: string;
  /** Folder for the package of the app. */
  app: string;
  signal: AbortSignal;
  fetch(id: string): Promise<AsyncIterable<Uint8Array>>;
}

/** Downloads a suite and verifies all checksums. Returns the path of the app. */
export async function fetchSources({ files, suite, app, signal, fetch }: Sources): Promise<string | undefined> {
  const targets = files.map((file) => ({
    file,
    target:
      file.type === 'app-file'
        ? path.join(app, path.basename(resolveInside(app, file.path)))
        : resolveInside(suite, file.path),
  }));
  const waiting = [...targets];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { file, target } = next;
      await mkdir(path.dirname(target), { recursive: true });
      await receive(await fetch(file.id), file, target, signal);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return targets.find(({ file }) => file.type === 'app-file')?.target;
}
