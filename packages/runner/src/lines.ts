const LONGEST = 1_048_576;

/** Lines of what comes in pieces; one that is longer than any that means something comes in pieces, too. */
export function createLineReader(onLine: (line: string) => void): { add(text: string): void; end(): void } {
  let pieces: string[] = [];
  let length = 0;
  const flush = () => {
    const line = pieces.join('');
    pieces = [];
    length = 0;
    onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
  };
  return {
    add(text) {
      const parts = text.split('\n');
      parts.forEach((part, at) => {
        pieces.push(part);
        length += part.length;
        if (at < parts.length - 1 || length > LONGEST) flush();
      });
    },
    end() {
      if (length > 0) flush();
    },
  };
}
