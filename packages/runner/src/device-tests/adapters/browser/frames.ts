import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Devtools, type DevtoolsEvent, openDevtools } from './devtools.ts';

const RECONNECT_INTERVAL_MS = 100;
/** Limits the recording to five frames per second. */
const FRAME_INTERVAL_MS = 200;
const MAX_FRAMES = 20_000;
const MAX_BYTES = 256 * 1_048_576;

export interface Screen {
  width: number;
  height: number;
}

export interface Frame {
  name: string;
  /** Time of the frame. */
  at: number;
}

interface ScreencastFrame {
  data: string;
  sessionId: number;
}

/** Saves frames from all browsers that successively use a debugging port, until the process is killed. */
export async function recordFrames(port: number, folder: string, { width, height }: Screen): Promise<void> {
  await mkdir(folder, { recursive: true });
  let frames = 0;
  let savedBytes = 0;
  async function saveFrame(
    browser: Devtools,
    { data, sessionId }: ScreencastFrame,
    page: string | undefined,
  ): Promise<void> {
    const bytes = Buffer.from(data, 'base64');
    if (frames >= MAX_FRAMES || savedBytes + bytes.length > MAX_BYTES) return;
    frames += 1;
    savedBytes += bytes.length;
    await writeFile(path.join(folder, `${String(frames).padStart(6, '0')}-${Date.now()}.jpg`), bytes);
    await setTimeout(FRAME_INTERVAL_MS);
    browser.send('Page.screencastFrameAck', { sessionId }, page);
  }
  async function follow(): Promise<void> {
    const onEvent = ({ method, params, sessionId }: DevtoolsEvent) => {
      const { sessionId: page, targetInfo } = params as { sessionId?: string; targetInfo?: { type: string } };
      if (method === 'Target.attachedToTarget' && targetInfo?.type === 'page') {
        const options = { format: 'jpeg', quality: 70, maxWidth: width, maxHeight: height };
        browser.send('Page.enable', {}, page);
        browser.send('Page.startScreencast', options, page);
      } else if (method === 'Page.screencastFrame') {
        saveFrame(browser, params as unknown as ScreencastFrame, sessionId).catch(() => undefined);
      }
    };
    const browser = await openDevtools(port, onEvent);
    browser.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: true });
    await browser.closed;
  }
  // Suites may start a new browser for each test, or none for some time.
  for (;;) {
    await follow().catch(() => undefined);
    await setTimeout(RECONNECT_INTERVAL_MS);
  }
}

/** Lists frames by time. Ignores other files in the folder. */
export const listFrames = async (folder: string): Promise<Frame[]> =>
  (await readdir(folder).catch(() => []))
    .sort()
    .flatMap((name) => {
      const [, at] = /^\d{6}-(\d{10,15})\.jpg$/.exec(name) ?? [];
      return at === undefined ? [] : [{ name, at: Number(at) }];
    })
    .slice(0, MAX_FRAMES);
