import type { TSchema } from 'typebox';
import { type Json, type OmittedBody, problem, type RequestKind, type ResponseKind, withExample } from './kind.ts';

/** A JSON object or array. */
export interface JsonRequest<S extends TSchema = TSchema> {
  kind: 'json';
  schema: S;
  bodyOmittedBy?: OmittedBody;
}

export interface JsonResponse<S extends TSchema = TSchema> {
  kind: 'json';
  schema: S;
  status: number;
  description: string;
  /** Answers 201 instead, with the same body, when it made something new. */
  mayCreate?: true;
  /** Answers 204 instead, without a body, when there is nothing to tell: what that means. */
  mayBeEmpty?: string;
  /** The answer is JSON text that was written before and is sent as it is; tests hold it against the schema. */
  isWritten?: true;
  /** A read whose answer rests on remembered tables only, so that it may be kept with the actor until one is written. */
  isRemembered?: true;
  /** How long others may keep it; not at all if absent. */
  cache?: string;
}

type RequestOptions = Pick<JsonRequest, 'bodyOmittedBy'>;
type ResponseOptions = Partial<Pick<JsonResponse, 'status' | 'mayCreate' | 'mayBeEmpty' | 'isRemembered' | 'cache'>> &
  Pick<JsonResponse, 'description'>;

export function json<S extends TSchema>(schema: S, options?: RequestOptions): JsonRequest<S>;
export function json<S extends TSchema>(
  schema: S,
  options: ResponseOptions & { isWritten: true },
): JsonResponse<S> & { isWritten: true };
export function json<S extends TSchema>(
  schema: S,
  options: ResponseOptions & { mayBeEmpty: string },
): JsonResponse<S> & { mayBeEmpty: string };
export function json<S extends TSchema>(schema: S, options: ResponseOptions): JsonResponse<S>;
export function json<S extends TSchema>(schema: S, options: RequestOptions | ResponseOptions = {}) {
  return 'description' in options
    ? { kind: 'json', schema, status: 200, ...options }
    : { kind: 'json', schema, ...options };
}

export const JSON_TYPE = 'application/json';

export const jsonRequest: RequestKind<JsonRequest> = {
  describe: ({ schema }, { refer, example }) => ({ [JSON_TYPE]: withExample(refer(schema), example) }),
  write: (_, { body = {} }) => ({ body: JSON.stringify(body), type: JSON_TYPE }),
  sample: (_, example = {}) => ({ body: JSON.stringify(example), type: JSON_TYPE }),
};

/** Whatever the answer is: an error of a proxy may be a page. */
export async function readJson(answer: Response): Promise<unknown> {
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.includes('json') ?? false;
  return isJson && text ? JSON.parse(text) : undefined;
}

/** What went wrong: JSON in one of its shapes, or the sentence alone. */
export async function readProblem(answer: Response): Promise<unknown> {
  const isText = answer.headers.get('content-type')?.startsWith('text/plain') ?? false;
  return isText ? { message: await answer.text() } : readJson(answer);
}

export const jsonResponse: ResponseKind<JsonResponse> = {
  statuses: ({ status, mayCreate, mayBeEmpty }) => [status, ...(mayCreate ? [201] : []), ...(mayBeEmpty ? [204] : [])],
  describe({ schema, status, description, mayCreate, mayBeEmpty }, { refer, example }) {
    const content = { [JSON_TYPE]: withExample(refer(schema), example) };
    const created = { description: 'The same, when it did not exist before.', content };
    const described: Record<number, Json> = { [status]: { description, content } };
    if (mayCreate) described[201] = created;
    if (mayBeEmpty) described[204] = { description: mayBeEmpty };
    return described;
  },
  accept: () => JSON_TYPE,
  read: (_, answer) => readJson(answer),
  check: ({ schema, mayBeEmpty }, { status, body, headers, errorsOf }) =>
    mayBeEmpty && status === 204
      ? problem(body === '', 'it has a body')
      : String(headers['content-type']).startsWith(JSON_TYPE)
        ? errorsOf(schema, JSON.parse(body))
        : problem(false, `it is no JSON but ${headers['content-type']}`),
};
