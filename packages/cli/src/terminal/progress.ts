import type { Environment, Stream } from '../environment.ts';

export interface Progress {
  /** Shows the completed share, from 0 to 1, and a text next to the bar. */
  show(share: number, text: string): void;
  /** Removes the bar. */
  end(): void;
}

const WIDTH = 30;
const CLEAR = '\r\u001b[K';

/** A progress bar that overwrites its line. Does nothing if the stream can't overwrite lines. */
export function createProgress(stream: Stream, env: Environment): Progress {
  if (!stream.isTTY || env.TERM === 'dumb') return { show: () => undefined, end: () => undefined };
  let shown = '';
  const write = (line: string): void => {
    if (line === shown) return;
    shown = line;
    stream.write(CLEAR + line);
  };
  return {
    show(share, text) {
      const completed = Math.min(Math.max(share, 0), 1);
      const done = Math.floor(completed * WIDTH);
      const percent = String(Math.floor(completed * 100)).padStart(3);
      const line = `[${'#'.repeat(done)}${'-'.repeat(WIDTH - done)}] ${percent}%  ${text}`;
      // A wrapped line can't be overwritten. Some terminals report 0 columns.
      write(line.slice(0, (stream.columns || 80) - 1));
    },
    end: () => write(''),
  };
}
