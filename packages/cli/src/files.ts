import { createWriteStream, openAsBlob, readFileSync, statSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { explainUnreachable } from './connection.ts';
import { Failure, wrongUsage } from './framework/errors.ts';
import { readStdin } from './prompt.ts';

function explained<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw wrongUsage(`The ${what} cannot be read: ${(error as Error).message}`);
  }
}

/** The text of a file, or of stdin if it is called `-`. */
export const readText = async (file: string, what: string): Promise<string> =>
  file === '-' ? readStdin(what) : explained(what, () => readFileSync(file, 'utf8'));

export const readBytes = (file: string): Buffer<ArrayBuffer> => explained('file', () => readFileSync(file));

/** A file that is read only as it is sent, or stdin if it is called `-`. */
export async function openFile(file: string, type: string): Promise<Blob> {
  if (file === '-') return new Blob([await buffer(process.stdin)], { type });
  const found = explained('file', () => statSync(file));
  if (!found.isFile()) throw wrongUsage(`${file} is not a file.`);
  const blob = await openAsBlob(file, { type });
  // NOTE: a blob counts its bytes up to 4 GiB, and would send the rest of the division without a word.
  if (blob.size !== found.size) throw wrongUsage(`${file} has ${found.size} bytes; less than 4 GiB can be sent.`);
  return blob;
}

export function readJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw wrongUsage(`The ${what} is not JSON: ${(error as Error).message}`);
  }
}

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
}

/** Writes what is at an address, usually the public one of the server, to a file that must not be there yet. */
export async function downloadTo(url: string, file: string, mode?: number): Promise<void> {
  const answer = await fetch(url).catch((error: unknown) => {
    throw explainUnreachable(error, new URL(url).origin);
  });
  if (!answer.ok || !answer.body) throw new Failure(`The server answered ${answer.status} for the file.`);
  await pipeline(chunksOf(answer.body), createWriteStream(file, { flags: 'wx', ...(mode ? { mode } : {}) }));
}
