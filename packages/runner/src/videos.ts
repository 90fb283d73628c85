import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Folders } from './adapters/adapter.ts';
import { readInside } from './inside.ts';

const LARGEST_VIDEO = 64 * 1_048_576;
const MOST_VIDEOS = 10;

/** By what it begins with, whatever it is called: `ftyp` of MP4, EBML of WebM. */
const isVideo = (bytes: Buffer): boolean =>
  bytes.subarray(4, 8).toString('latin1') === 'ftyp' || bytes.subarray(0, 4).toString('hex') === '1a45dfa3';

/** Videos that a suite, or what drives its device, recorded into its output folder; what is left out is told. */
export async function* findVideos(
  { box, output }: Pick<Folders, 'box' | 'output'>,
  write: (text: string) => void,
): AsyncGenerator<{ name: string; content: Buffer }> {
  const entries = await readdir(output, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile() && /\.(mp4|webm)$/i.test(entry.name));
  const paths = files.map(({ parentPath, name }) => path.join(parentPath, name)).sort();
  for (const [index, file] of paths.entries()) {
    const name = path
      .relative(output, file)
      .replaceAll(/[^A-Za-z0-9._-]/g, '_')
      .slice(-180);
    const content = index < MOST_VIDEOS ? await readInside(box, file, LARGEST_VIDEO) : undefined;
    if (content && isVideo(content)) yield { name, content };
    else write(`## ${name} is not kept: at most ${MOST_VIDEOS} videos, MP4 or WebM, of 64 MiB each are.\n`);
  }
}
