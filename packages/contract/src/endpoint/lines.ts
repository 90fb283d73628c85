import type { TSchema } from 'typebox';
import { ApiError } from './api-error.ts';
import { JSON_TYPE, readJson } from './json.ts';
import { type ResponseKind, withExample } from './kind.ts';

/**
 * The report of a long operation as JSON. For callers that accept application/x-ndjson, preceded by progress, one JSON
 * object per line.
 */
export interface LinesResponse<S extends TSchema = TSchema, P extends TSchema = TSchema> {
  kind: 'lines';
  schema: S;
  progress: P;
  description: string;
}

export const lines = <S extends TSchema, P extends TSchema>(
  schema: S,
  options: { progress: P; description: string },
): LinesResponse<S, P> => ({ kind: 'lines', schema, ...options });

export const LINES_TYPE = 'application/x-ndjson';

interface Line {
  progress?: unknown;
  report?: unknown;
  error?: { code?: string; message?: string };
}

/** The last line is the report or an error. */
async function readLines(httpResponse: Response, onProgress: (progress: unknown) => void): Promise<unknown> {
  // Not every browser can iterate over a stream.
  const reader = (httpResponse.body ?? new Blob().stream()).getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let last: Line = {};
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const found = (rest + decoder.decode(part.value, { stream: true })).split('\n');
    rest = found.pop() ?? '';
    for (const line of found) {
      last = JSON.parse(line) as Line;
      if (last.progress !== undefined) onProgress(last.progress);
    }
  }
  // The status can't change after the first line, so later errors are in the body.
  if (last.error) throw new ApiError({ status: 500, statusText: '', headers: httpResponse.headers }, last);
  if (last.report !== undefined) return last.report;
  throw new TypeError('terminated', { cause: new Error('the response ended before its report') });
}

export const linesResponse: ResponseKind<LinesResponse> = {
  statuses: () => [200],
  describe({ schema, progress, description }, { refer, example, errorBody }) {
    const lineSchema = {
      description: 'Lines of JSON, if the caller accepts them: progress, then the report or an error.',
      anyOf: [
        { type: 'object', properties: { progress: refer(progress) } },
        { type: 'object', properties: { report: refer(schema) } },
        { type: 'object', properties: { error: refer(errorBody) } },
      ],
    };
    const content = { [JSON_TYPE]: withExample(refer(schema), example), [LINES_TYPE]: { schema: lineSchema } };
    return { 200: { description, content } };
  },
  accept: (_, { onProgress }) => (onProgress ? `${LINES_TYPE}, ${JSON_TYPE}` : JSON_TYPE),
  read(_, httpResponse, { onProgress }) {
    const isLines = httpResponse.headers.get('content-type')?.startsWith(LINES_TYPE) ?? false;
    return isLines && onProgress ? readLines(httpResponse, onProgress) : readJson(httpResponse);
  },
  check: ({ schema }, { body, listErrors }) => listErrors(schema, JSON.parse(body)),
};
