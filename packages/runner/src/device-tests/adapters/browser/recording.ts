import { createServer } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Recording, TestJob } from '../adapter.ts';
import type { Screen } from './frames.ts';

const program = fileURLToPath(new URL('./recording.process.ts', import.meta.url));
/** Small videos are sufficient to see what happened. */
const MAX_SIDE = 800;

const findPort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0));
    });
  });

export function scaleScreen({ width, height }: Screen): Screen {
  const scale = Math.min(1, MAX_SIDE / Math.max(width, height));
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

/** Records browsers that use the returned debugging port, and encodes a video at the end. */
export async function recordBrowser(job: TestJob, points: Screen, chromium: string): Promise<Recording> {
  const port = await findPort();
  const screen = scaleScreen(points);
  const folder = path.join(job.folders.box, 'recording');
  const buildCommand = (action: string, ...more: string[]) => [
    ...[process.execPath, program, action, folder],
    ...[String(screen.width), String(screen.height), ...more],
  ];
  // Log errors only.
  const common = { tools: [path.dirname(program)], log: 'device-log', onLine: () => false } as const;
  const stopping = new AbortController();
  const recording = job
    .run({ ...common, command: buildCommand('record', String(port)), signal: stopping.signal })
    .catch(() => undefined);
  return {
    debuggingPort: port,
    async end(finishing) {
      stopping.abort();
      await recording;
      const target = path.join(job.folders.output, 'screen.webm');
      const command = buildCommand('encode', String(Date.now()), chromium, target);
      const code = await finishing.run({ ...common, title: 'Video', command }).catch(() => -1);
      if (code !== 0) finishing.write('## No video: encoding failed.\n');
    },
  };
}
