import { createServer } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Recording, TestJob } from '../adapter.ts';
import type { Screen } from './frames.ts';

const program = fileURLToPath(new URL('./recording.process.ts', import.meta.url));
/** Videos are no larger than they need be to see what happened. */
const LARGEST_SIDE = 800;

const findPort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0));
    });
  });

export function screenOf({ width, height }: Screen): Screen {
  const scale = Math.min(1, LARGEST_SIDE / Math.max(width, height));
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

/** Keeps what browsers show that listen at the port which it says; afterwards a video is made of it. */
export async function recordBrowser(job: TestJob, points: Screen, chromium: string): Promise<Recording> {
  const port = await findPort();
  const screen = screenOf(points);
  const folder = path.join(job.folders.box, 'recording');
  const words = (what: string, ...more: string[]) => [
    ...[process.execPath, program, what, folder],
    ...[String(screen.width), String(screen.height), ...more],
  ];
  // Only what goes wrong is worth a log.
  const common = { tools: [path.dirname(program)], log: 'device-log', onLine: () => false } as const;
  const stopping = new AbortController();
  const keeping = job
    .run({ ...common, command: words('keep', String(port)), signal: stopping.signal })
    .catch(() => undefined);
  return {
    debuggingPort: port,
    async end(finishing) {
      stopping.abort();
      await keeping;
      const target = path.join(job.folders.output, 'screen.webm');
      const command = words('encode', String(Date.now()), chromium, target);
      const code = await finishing.run({ ...common, title: 'Video', command }).catch(() => -1);
      if (code !== 0) finishing.write('## There is no video: none could be made of what was seen.\n');
    },
  };
}
