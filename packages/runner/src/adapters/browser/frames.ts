import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Devtools, type DevtoolsEvent, openDevtools } from './devtools.ts';

const LOOK_EVERY = 100;
/** A page that moves all the time is shown five times a second: more is asked for only then. */
const PAUSE = 200;
const MOST_FRAMES = 20_000;
const MOST_BYTES = 256 * 1_048_576;

export interface Screen {
  width: number;
  height: number;
}

export interface Frame {
  name: string;
  /** When it was seen. */
  at: number;
}

interface SeenFrame {
  data: string;
  sessionId: number;
}

/** Keeps what pages of the browsers at a port show, one after the other, until it is ended. */
export async function keepFrames(port: number, folder: string, { width, height }: Screen): Promise<void> {
  await mkdir(folder, { recursive: true });
  let frames = 0;
  let kept = 0;
  async function keep(browser: Devtools, { data, sessionId }: SeenFrame, page: string | undefined): Promise<void> {
    const bytes = Buffer.from(data, 'base64');
    if (frames >= MOST_FRAMES || kept + bytes.length > MOST_BYTES) return;
    frames += 1;
    kept += bytes.length;
    await writeFile(path.join(folder, `${String(frames).padStart(6, '0')}-${Date.now()}.jpg`), bytes);
    await setTimeout(PAUSE);
    browser.send('Page.screencastFrameAck', { sessionId }, page);
  }
  async function follow(): Promise<void> {
    const onEvent = ({ method, params, sessionId }: DevtoolsEvent) => {
      const { sessionId: page, targetInfo } = params as { sessionId?: string; targetInfo?: { type: string } };
      if (method === 'Target.attachedToTarget' && targetInfo?.type === 'page') {
        const how = { format: 'jpeg', quality: 70, maxWidth: width, maxHeight: height };
        browser.send('Page.enable', {}, page);
        browser.send('Page.startScreencast', how, page);
      } else if (method === 'Page.screencastFrame') {
        keep(browser, params as unknown as SeenFrame, sessionId).catch(() => undefined);
      }
    };
    const browser = await openDevtools(port, onEvent);
    browser.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: true });
    await browser.closed;
  }
  // Suites start a browser for each test, or none for a while.
  for (;;) {
    await follow().catch(() => undefined);
    await setTimeout(LOOK_EVERY);
  }
}

/** In the order in which they were seen; what else lies in the folder is none. */
export const listFrames = async (folder: string): Promise<Frame[]> =>
  (await readdir(folder).catch(() => []))
    .sort()
    .flatMap((name) => {
      const [, at] = /^\d{6}-(\d{10,15})\.jpg$/.exec(name) ?? [];
      return at === undefined ? [] : [{ name, at: Number(at) }];
    })
    .slice(0, MOST_FRAMES);
