const MAX_LINE_LENGTH = 1_048_576;

/** Splits chunks of text into lines. Extremely long lines are split as well. */
export function createLineReader(onLine: (line: string) => void): { add(text: string): void; end(): void } {
  let chunks: string[] = [];
  let length = 0;
  const flush = () => {
    const line = chunks.join('');
    chunks = [];
    length = 0;
    onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
  };
  return {
    add(text) {
      const parts = text.split('\n');
      parts.forEach((part, at) => {
        chunks.push(part);
        length += part.length;
        if (at < parts.length - 1 || length > MAX_LINE_LENGTH) flush();
      });
    },
    end() {
      if (length > 0) flush();
    },
  };
}
