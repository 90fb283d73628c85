/** The lines of an answer, each as soon as it is there. */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      const lines = (rest + decoder.decode(piece.value, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } finally {
    await reader.cancel();
  }
}

interface Line {
  progress?: unknown;
  report?: unknown;
  error?: unknown;
}

/** Reads an answer that says how far it is: passes that on, and returns its last line. */
export async function readLines(response: Response, onProgress: (progress: never) => void): Promise<Line> {
  if (response.body) {
    for await (const text of linesOf(response.body)) {
      const line = JSON.parse(text) as Line;
      if (line.progress === undefined) return line;
      onProgress(line.progress as never);
    }
  }
  throw new TypeError('The answer broke off before its end.');
}
