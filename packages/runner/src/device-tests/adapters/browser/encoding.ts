import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { type Frame, listFrames, type Screen } from './frames.ts';
import { type EncodedFrame, writeWebm } from './webm.ts';

/** Runs in the page: reads frames and sends encoded chunks of the video. */
const script = `
const { frames, width, height } = await (await fetch('frames')).json();
const canvas = new OffscreenCanvas(width, height);
const context = canvas.getContext('2d');
let sending = Promise.resolve();
const send = (path, body) => { sending = sending.then(() => fetch(path, { method: 'POST', body })); };
const encoder = new VideoEncoder({
  output(chunk) {
    const bytes = new Uint8Array(chunk.byteLength);
    chunk.copyTo(bytes);
    send('chunk?at=' + Math.round(chunk.timestamp / 1000) + '&key=' + (chunk.type === 'key' ? 1 : 0), bytes);
  },
  error: (error) => send('failed', error.message),
});
try {
  encoder.configure({ codec: 'vp8', width, height, bitrate: 500_000 });
  let count = 0;
  for (const { name, at } of frames) {
    const picture = await createImageBitmap(await (await fetch('frames/' + name)).blob()).catch(() => undefined);
    if (!picture) continue;
    const scale = Math.min(width / picture.width, height / picture.height);
    const [w, h] = [picture.width * scale, picture.height * scale];
    context.fillRect(0, 0, width, height);
    context.drawImage(picture, (width - w) / 2, (height - h) / 2, w, h);
    picture.close();
    const frame = new VideoFrame(canvas, { timestamp: at * 1000 });
    encoder.encode(frame, { keyFrame: count++ % 50 === 0 });
    frame.close();
    while (encoder.encodeQueueSize > 8) await new Promise((done) => setTimeout(done, 5));
  }
  await encoder.flush();
  await sending;
  send('done', '');
} catch (error) {
  send('failed', String(error));
}
`;

/** Makes times relative to the first frame and unique. Repeats the last frame at the end. */
function toTimeline(frames: readonly Frame[], until: number): Frame[] {
  const start = frames[0]?.at ?? 0;
  let last = -1;
  const shown = frames.map(({ name, at }) => {
    last = Math.max(last + 1, at - start);
    return { name, at: last };
  });
  const end = shown.at(-1);
  return end ? [...shown, { name: end.name, at: Math.max(end.at + 1, until - start) }] : [];
}

export interface Encoding {
  folder: string;
  chromium: string;
  screen: Screen;
  /** End time of the suite. */
  until: number;
  target: string;
}

/** Encodes frames to a video with the encoder of Chromium. Returns the number of frames. */
export async function encodeFrames({ folder, chromium, screen, until, target }: Encoding): Promise<number> {
  const frames = toTimeline(await listFrames(folder), until);
  if (frames.length === 0) return 0;
  // The encoder requires even sizes.
  const size = { width: screen.width & ~1, height: screen.height & ~1 };
  const names = new Set(frames.map(({ name }) => name));
  const home = `/${randomUUID()}/`;
  const chunks: EncodedFrame[] = [];
  const ending = Promise.withResolvers<void>();
  const respond = async (request: IncomingMessage): Promise<[type: string, body: string | Buffer] | undefined> => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (!url.pathname.startsWith(home)) return undefined;
    const name = url.pathname.slice(home.length);
    if (name === '')
      return ['text/html', '<!doctype html><meta charset="utf-8"><script type="module" src="encode.js"></script>'];
    if (name === 'encode.js') return ['text/javascript', script];
    if (name === 'frames') return ['application/json', JSON.stringify({ frames, ...size })];
    if (name === 'chunk') {
      const { searchParams } = url;
      const bytes = await buffer(request);
      chunks.push({ at: Number(searchParams.get('at')), isKey: searchParams.get('key') === '1', bytes });
    } else if (name === 'failed') ending.reject(new Error(await text(request)));
    else if (name === 'done') ending.resolve();
    else if (names.has(name.slice('frames/'.length)))
      return ['image/jpeg', await readFile(path.join(folder, name.slice('frames/'.length)))];
    else return undefined;
    return ['text/plain', ''];
  };
  const server = createServer(async (request, response) => {
    const result = await respond(request).catch(() => undefined);
    if (result) response.setHeader('content-type', result[0]);
    response.writeHead(result ? 200 : 404).end(result?.[1]);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const options = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run'];
  const profile = `--user-data-dir=${path.join(folder, 'profile')}`;
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${home}`;
  const browser = spawn(chromium, [...options, profile, url], { stdio: 'ignore' });
  browser.once('error', (error) => ending.reject(error));
  browser.once('exit', (code) => ending.reject(new Error(`Chromium exited with code ${code}.`)));
  try {
    await ending.promise;
    await writeFile(target, writeWebm(chunks, size));
    return frames.length;
  } finally {
    browser.kill('SIGKILL');
    server.closeAllConnections();
    server.close();
  }
}
