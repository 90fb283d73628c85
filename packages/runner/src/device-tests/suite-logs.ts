import { createWriteStream, type WriteStream } from 'node:fs';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { readInside } from '../files/read-inside.ts';
import type { LogKind, TestFile } from './test-options.ts';

const MAX_LOG_BYTES = 20 * 1_048_576;

export interface SuiteLogs {
  write(kind: LogKind, text: string): void;
  end(): Promise<TestFile[]>;
}

/** Writes size-limited logs to a folder that the suite can't access. */
export function createSuiteLogs(folder: string, mask: (text: string) => string): SuiteLogs {
  const open = new Map<LogKind, { stream: WriteStream; size: number }>();
  const toPath = (kind: LogKind) => path.join(folder, `${kind}.txt`);
  return {
    write(kind, text) {
      const log = open.get(kind) ?? { stream: createWriteStream(toPath(kind)), size: 0 };
      open.set(kind, log);
      if (log.size >= MAX_LOG_BYTES) return;
      log.size += Buffer.byteLength(text);
      // The time allows showing screenshots next to the log lines.
      const line = `${new Date().toISOString()} ${text}`;
      log.stream.write(log.size >= MAX_LOG_BYTES ? `${line}\n## The log exceeds the size limit and was cut.\n` : line);
    },
    async end() {
      const files: TestFile[] = [];
      for (const [kind, { stream }] of open) {
        stream.end();
        await finished(stream);
        const content = await readInside(folder, toPath(kind), 2 * MAX_LOG_BYTES);
        if (content && content.length > 0)
          files.push({ kind, name: `${kind}.txt`, content: Buffer.from(mask(content.toString('utf8'))) });
      }
      return files;
    },
  };
}
