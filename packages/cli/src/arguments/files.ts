import { createWriteStream, openAsBlob, readFileSync, statSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { explainUnreachable } from '../connection/connection.ts';
import { Failure, wrongUsage } from '../framework/errors.ts';
import { readStdin } from '../terminal/prompt.ts';

function explainFailure<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw wrongUsage(`Can't read the ${name}: ${(error as Error).message}`);
  }
}

/** Reads a text file, or stdin for `-`. */
export const readText = async (file: string, name: string): Promise<string> =>
  file === '-' ? readStdin(name) : explainFailure(name, () => readFileSync(file, 'utf8'));

export const readBytes = (file: string): Buffer<ArrayBuffer> => explainFailure('file', () => readFileSync(file));

/** Opens a file without reading it into memory; reads stdin for `-`. */
export async function openFile(file: string, type: string): Promise<Blob> {
  if (file === '-') return new Blob([await buffer(process.stdin)], { type });
  const stats = explainFailure('file', () => statSync(file));
  if (!stats.isFile()) throw wrongUsage(`${file} is not a file.`);
  const blob = await openAsBlob(file, { type });
  // NOTE: Node computes the size of a blob modulo 4 GiB and would silently send only that many bytes.
  if (blob.size !== stats.size)
    throw wrongUsage(`${file} is too large: it has ${stats.size} bytes, and the limit is 4 GiB.`);
  return blob;
}

export function readJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw wrongUsage(`The ${name} is not valid JSON: ${(error as Error).message}`);
  }
}

async function* readChunks(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
}

/** Downloads a URL to a file that must not exist yet. */
export async function downloadTo(url: string, file: string, mode?: number): Promise<void> {
  const response = await fetch(url).catch((error: unknown) => {
    throw explainUnreachable(error, new URL(url).origin);
  });
  if (!response.ok || !response.body)
    throw new Failure(`Can't download the file: the server responded with status ${response.status}.`, {
      advice: 'Run the command again to get a new link.',
    });
  await pipeline(readChunks(response.body), createWriteStream(file, { flags: 'wx', ...(mode ? { mode } : {}) }));
}
