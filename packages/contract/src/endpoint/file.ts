import type { TSchema } from 'typebox';
import {
  getContentType,
  type Json,
  type OmittedBody,
  problem,
  type ReceivedResponse,
  type RequestKind,
  type ResponseKind,
  withExample,
} from './kind.ts';

/** A file that is streamed: a form field if `field` is set, otherwise the raw body. */
export interface FileRequest {
  kind: 'file';
  /** The name of the field, for multipart/form-data. */
  field?: string;
  /** The accepted media types. The server checks the content itself. */
  types: readonly string[];
  maxBytes: number;
  /** The schema of the file, if it contains JSON. */
  content?: TSchema;
  /** Accepts any media type in the request, or none. */
  isAnyType?: true;
  /** May take longer to arrive than other requests, as long as data keeps coming. */
  isLong?: true;
  bodyOmittedBy?: OmittedBody;
}

/** A streamed file. Supports ranges and conditional requests. */
export interface FileResponse {
  kind: 'file';
  description: string;
  types: readonly string[];
  /** The Cache-Control header (default: not cacheable). */
  cache?: string;
  /** Other sites may embed it. */
  isEmbeddable?: true;
}

type RequestOptions = Omit<FileRequest, 'kind'>;
type ResponseOptions = Omit<FileResponse, 'kind'>;

export function file<const O extends RequestOptions>(options: O): O & { kind: 'file' };
export function file(options: ResponseOptions): FileResponse;
export function file(options: RequestOptions | ResponseOptions) {
  return { kind: 'file', ...options };
}

/** The bytes of a binary example. */
export interface FileExample {
  type: string;
  /** In a form. */
  name?: string;
  base64: string;
}

const isFileExample = (example: unknown): example is FileExample =>
  typeof example === 'object' && example !== null && 'base64' in example;

const boundary = 'd74496d66958873e';

/** A form with one file, as curl sends it. */
function formWith(field: string, content: Uint8Array, type: string, name = 'example') {
  const text = new TextEncoder();
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`;
  const body = Uint8Array.from([...text.encode(head), ...content, ...text.encode(`\r\n--${boundary}--\r\n`)]);
  return { body, type: `multipart/form-data; boundary=${boundary}` };
}

const LINES = 'application/x-ndjson';

function describeForm(field: string, { maxBytes, types }: FileRequest): Json {
  const properties = { [field]: { type: 'string', format: 'binary', description: `At most ${maxBytes} bytes.` } };
  return {
    'multipart/form-data': {
      schema: { type: 'object', required: [field], properties },
      encoding: { [field]: { contentType: types.join(', ') } },
    },
  };
}

export const fileRequest: RequestKind<FileRequest> = {
  describe(request, { refer, example }) {
    const { field, types, content, maxBytes } = request;
    if (field) return describeForm(field, request);
    const binary = { schema: { type: 'string', format: 'binary', description: `At most ${maxBytes} bytes.` } };
    return Object.fromEntries(
      types.map((type) => {
        if (!content) return [type, binary];
        if (type === LINES) return [type, { schema: { type: 'string', description: 'One JSON object per line.' } }];
        return [type, withExample(refer(content), example)];
      }),
    );
  },
  write({ field, types: [type = ''] }, { file }) {
    if (!file) throw new TypeError('This operation requires a file.');
    if (!field) return { body: file, type: file.type || type };
    const form = new FormData();
    form.append(field, file);
    return { body: form };
  },
  sample({ field, types: [type = ''] }, example) {
    const [content, claimed] = isFileExample(example)
      ? [Uint8Array.from(atob(example.base64), (character) => character.charCodeAt(0)), example.type]
      : [new TextEncoder().encode(JSON.stringify(example)), type];
    return field === undefined
      ? { body: content, type: claimed }
      : formWith(field, content, claimed, isFileExample(example) ? example.name : undefined);
  },
};

/** A file in transfer: read it to its end, or cancel it. */
export interface Download {
  type: string;
  /** The suggested file name, if there is one. */
  name: string | undefined;
  size: number | undefined;
  stream: ReadableStream<Uint8Array>;
}

const nameIn = (disposition: string | null): string | undefined => {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '') ?? [];
  if (encoded) return decodeURIComponent(encoded);
  return /filename="([^"]*)"/i.exec(disposition ?? '')?.[1];
};

const binary = { schema: { type: 'string', format: 'binary' } };
const headers = { ETag: { schema: { type: 'string' } }, 'Accept-Ranges': { schema: { const: 'bytes' } } };

function checkFile({ types }: FileResponse, received: ReceivedResponse): string[] {
  const type = getContentType(received);
  return [
    ...problem(
      types.some((one) => type.startsWith(one)),
      `the content type is ${type}`,
    ),
    ...problem('etag' in received.headers, 'the response has no ETag'),
    ...problem(received.body.length > 0, 'the response is empty'),
  ];
}

export const fileResponse: ResponseKind<FileResponse> = {
  errors: [416],
  statuses: () => [200, 206, 304],
  describe({ description, types }) {
    const content = Object.fromEntries(types.map((type) => [type, binary]));
    return {
      200: { description, headers, content },
      206: { description: 'The requested range.', content },
      304: { description: 'Not modified: the file matches If-None-Match.' },
    };
  },
  accept: ({ types }) => types.join(', '),
  read(_, { headers, body }): Download {
    const size = headers.get('content-length');
    return {
      type: headers.get('content-type') ?? '',
      name: nameIn(headers.get('content-disposition')),
      size: size === null ? undefined : Number(size),
      stream: body ?? new Blob().stream(),
    };
  },
  check: checkFile,
};
