import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  type Client,
  type Download,
  type EndpointSpec,
  endpoints,
  getBodyFields,
  needsCredential,
} from '@mooring/contract';
import { readBytes, readJson, readText } from '../arguments/files.ts';
import { command } from '../framework/command.ts';
import { wrongUsage } from '../framework/errors.ts';
import { type Output, printable } from '../terminal/output.ts';

type Fields = Record<string, unknown>;

interface Request {
  params: Record<string, string>;
  query: Record<string, string>;
  body: Fields;
  headers?: Record<string, string>;
  /** Path of the file to upload. */
  file?: string;
}

const namesIn = (part: { properties: object } | undefined): string[] => Object.keys(part?.properties ?? {});

const takesFields = ({ request }: EndpointSpec): boolean => request?.kind === 'json' || request?.kind === 'form';

/** The name of the field that contains an uploaded file. */
const getFileField = ({ request }: EndpointSpec): string | undefined => {
  if (request?.kind === 'file') return request.field ?? 'file';
  return request?.kind === 'bytes' || request?.kind === 'files' ? 'file' : undefined;
};

type NameLists = [params: string[], query: string[], headers: string[]];

const endpointsById = new Map(endpoints.map((spec) => [spec.id, spec]));

/** Parses JSON values; other values, and numbers for text fields, remain text. */
function readValue(text: string, schema: { type?: string } | undefined): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return schema?.type === 'string' && typeof value !== 'string' ? text : value;
  } catch {
    return text;
  }
}

/** Assigns `name=value` pairs to path, query, headers and body, by the names that the operation declares. */
export function readRequest(spec: EndpointSpec, assignments: readonly string[], body: Fields = {}): Request {
  const fileName = getFileField(spec);
  const fieldSchemas = getBodyFields(spec.request);
  const names = [spec.params, spec.query, spec.headers, { properties: fieldSchemas }]
    .flatMap(namesIn)
    .concat(fileName ? `${fileName}=@FILE` : []);
  const accepts = `Fields of ${spec.id}: ${names.join(', ') || 'none'}.`;
  const [paramNames, queryNames, headerNames] = [spec.params, spec.query, spec.headers].map(namesIn) as NameLists;
  const namesOutsideBody = [...paramNames, ...queryNames, ...headerNames, fileName];
  const pairs = assignments.map((assignment): [string, string] => {
    const equals = assignment.indexOf('=');
    const name = assignment.slice(0, Math.max(equals, 0));
    if (!name) throw wrongUsage(`Invalid field "${assignment}". Use name=value.`, accepts);
    if (!takesFields(spec) && !namesOutsideBody.includes(name)) {
      throw wrongUsage(`Unknown field "${name}".`, accepts);
    }
    return [name, assignment.slice(equals + 1)];
  });
  const pickFields = (names: string[]) => Object.fromEntries(pairs.filter(([name]) => names.includes(name)));
  const params = pickFields(paramNames);
  const missing = paramNames.find((name) => !params[name]);
  if (missing) throw wrongUsage(`Missing field ${missing}. Add ${missing}=VALUE.`, accepts);
  const file = pairs.find(([name]) => name === fileName)?.[1];
  if (fileName && !file?.startsWith('@')) throw wrongUsage(`Missing file. Add ${fileName}=@FILE.`, accepts);
  const fields = pairs
    .filter(([name]) => !namesOutsideBody.includes(name))
    .map(([name, text]): [string, unknown] => [name, readValue(text, fieldSchemas[name])]);
  const query = { ...spec.surface?.query, ...pickFields(queryNames) };
  const headers = pickFields(headerNames);
  const request = {
    params,
    query,
    body: { ...body, ...Object.fromEntries(fields) },
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
  };
  return file ? { ...request, file: file.slice(1) } : request;
}

async function readSource(source: string): Promise<string> {
  if (source === '-') return readText('-', 'body');
  return source.startsWith('@') ? readText(source.slice(1), 'body') : source;
}

const readUpload = ({ request }: EndpointSpec, file: string): { body: Uint8Array } | { file: File } =>
  request?.kind === 'bytes' ? { body: readBytes(file) } : { file: new File([readBytes(file)], path.basename(file)) };

/** Prints a response: JSON, text, or events as they arrive. Saves a file to the requested path. */
async function print(out: Output, { response }: EndpointSpec, result: unknown, file: string): Promise<void> {
  if (response.kind === 'file') await writeFile(file, (result as Download).stream);
  else if (response.kind === 'events') for await (const event of result as AsyncIterable<object>) out.json(event);
  else if (typeof result === 'string') out.text(result.split('\n').map(printable).join('\n'));
  else if (result !== undefined) out.json(result);
}

async function readBody(spec: EndpointSpec, source: string): Promise<Fields> {
  if (!takesFields(spec)) throw wrongUsage(`${spec.id} has no JSON body.`);
  const body = readJson(await readSource(source), 'body');
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Fields;
  throw wrongUsage('The body must be a JSON object.');
}

export const apiCommands = [
  command({
    name: 'api',
    summary: 'Call any operation of the API; without arguments, list all operations',
    arguments: {
      operation: { summary: 'Operation ID', optional: true, choices: [...endpointsById.keys()] },
      field: {
        summary: 'Field as name=value, for the path, query, headers or body; values can be JSON',
        optional: true,
        many: true,
      },
    },
    options: {
      body: { value: 'BODY', summary: 'JSON body, @FILE, or - for stdin; fields are merged into it' },
      output: { value: 'FILE', summary: 'Path to save a downloaded file to' },
    },
    async run({ args, options, out, connect }) {
      const spec = endpointsById.get(args.operation ?? '');
      if (!spec) {
        const operations = endpoints.map(({ id, method, path, summary }) => ({ id, method, path, summary }));
        out.table(operations, operations, [
          { header: 'OPERATION', value: (operation) => operation.id },
          { header: 'METHOD', value: (operation) => operation.method },
          { header: 'PATH', value: (operation) => operation.path },
          { header: 'SUMMARY', value: (operation) => operation.summary },
        ]);
        return;
      }
      if (spec.response.kind === 'file' && options.output === undefined) {
        throw wrongUsage(`${spec.id} returns a file.`, 'Choose a path for it with --output FILE.');
      }
      const body = options.body === undefined ? undefined : await readBody(spec, options.body);
      const { file, ...request } = readRequest(spec, args.field, body);
      // The server validates the values, so the types of the client are not needed.
      const call = connect({ allowAnonymous: !needsCredential(spec) }).call as (
        spec: EndpointSpec,
        input: object,
      ) => ReturnType<Client>;
      const input = file ? { ...request, ...readUpload(spec, file) } : request;
      await print(out, spec, await call(spec, input), options.output ?? '');
    },
  }),
];
