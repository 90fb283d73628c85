import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { readInside } from '../files/read-inside.ts';
import type { Folders } from './adapters/adapter.ts';

const MAX_VIDEO_BYTES = 64 * 1_048_576;
const MAX_VIDEOS = 10;

/** Detects MP4 (`ftyp`) and WebM (EBML) by content. */
const isVideo = (bytes: Buffer): boolean =>
  bytes.subarray(4, 8).toString('latin1') === 'ftyp' || bytes.subarray(0, 4).toString('hex') === '1a45dfa3';

/** Finds videos in the output folder, and logs skipped ones. */
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
    const content = index < MAX_VIDEOS ? await readInside(box, file, MAX_VIDEO_BYTES) : undefined;
    if (content && isVideo(content)) yield { name, content };
    else
      write(
        `## Skipped ${name}: not an MP4 or WebM file of at most 64 MiB, or one of more than ${MAX_VIDEOS} videos.\n`,
      );
  }
}
