import type { Environment, Stream } from './environment.ts';

export interface Progress {
  /** From 0 to 1, and what is worth telling beside it. */
  show(share: number, text: string): void;
  /** Takes the bar away. */
  end(): void;
}

const WIDTH = 30;
const CLEAR = '\r\u001b[K';

/** One line that is written over again and again; nothing where a line cannot be written over. */
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
      const far = Math.min(Math.max(share, 0), 1);
      const done = Math.floor(far * WIDTH);
      const percent = String(Math.floor(far * 100)).padStart(3);
      const line = `[${'#'.repeat(done)}${'-'.repeat(WIDTH - done)}] ${percent} %  ${text}`;
      // A line that wraps could not be written over; some terminals say that they have no columns.
      write(line.slice(0, (stream.columns || 80) - 1));
    },
    end: () => write(''),
  };
}
