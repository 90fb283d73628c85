import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Client, type Download, type EndpointSpec, endpoints, fieldsOf, needsCredential } from '@mooring/contract';
import { readBytes, readJson, readText } from '../files.ts';
import { command } from '../framework/command.ts';
import { wrongUsage } from '../framework/errors.ts';
import { type Output, printable } from '../output.ts';

type Fields = Record<string, unknown>;

interface Request {
  params: Record<string, string>;
  query: Record<string, string>;
  body: Fields;
  headers?: Record<string, string>;
  /** Where the file to send is. */
  file?: string;
}

const namesIn = (part: { properties: object } | undefined): string[] => Object.keys(part?.properties ?? {});

const takesFields = ({ request }: EndpointSpec): boolean => request?.kind === 'json' || request?.kind === 'form';

/** By which word a file is given that is sent. */
const fileNameOf = ({ request }: EndpointSpec): string | undefined => {
  if (request?.kind === 'file') return request.field ?? 'file';
  return request?.kind === 'bytes' ? 'file' : undefined;
};

type NameLists = [params: string[], query: string[], headers: string[]];

const endpointsById = new Map(endpoints.map((spec) => [spec.id, spec]));

/** JSON if it is JSON, else text; a number where the field is a text stays text. */
function readValue(text: string, schema: { type?: string } | undefined): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return schema?.type === 'string' && typeof value !== 'string' ? text : value;
  } catch {
    return text;
  }
}

/** Sorts `name=value` words into path, query and body, by the names that the operation declares. */
export function readRequest(spec: EndpointSpec, words: readonly string[], body: Fields = {}): Request {
  const fileName = fileNameOf(spec);
  const fieldSchemas = fieldsOf(spec.request);
  const names = [spec.params, spec.query, spec.headers, { properties: fieldSchemas }]
    .flatMap(namesIn)
    .concat(fileName ? `${fileName}=@FILE` : []);
  const accepts = `${spec.id} takes: ${names.join(', ') || 'nothing'}.`;
  const [paramNames, queryNames, headerNames] = [spec.params, spec.query, spec.headers].map(namesIn) as NameLists;
  const elsewhere = [...paramNames, ...queryNames, ...headerNames, fileName];
  const pairs = words.map((word): [string, string] => {
    const equals = word.indexOf('=');
    const name = word.slice(0, Math.max(equals, 0));
    if (!name) throw wrongUsage(`"${word}" must look like name=value.`, accepts);
    if (!takesFields(spec) && !elsewhere.includes(name)) {
      throw wrongUsage(`"${name}" is nothing that this operation takes.`, accepts);
    }
    return [name, word.slice(equals + 1)];
  });
  const named = (names: string[]) => Object.fromEntries(pairs.filter(([name]) => names.includes(name)));
  const params = named(paramNames);
  const missing = paramNames.find((name) => !params[name]);
  if (missing) throw wrongUsage(`${missing} is missing; add ${missing}=VALUE.`, accepts);
  const file = pairs.find(([name]) => name === fileName)?.[1];
  if (fileName && !file?.startsWith('@')) throw wrongUsage(`A file is missing; add ${fileName}=@FILE.`, accepts);
  const fields = pairs
    .filter(([name]) => !elsewhere.includes(name))
    .map(([name, text]): [string, unknown] => [name, readValue(text, fieldSchemas[name])]);
  const query = { ...spec.family?.query, ...named(queryNames) };
  const headers = named(headerNames);
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

const readSent = ({ request }: EndpointSpec, file: string): { body: Uint8Array } | { file: File } =>
  request?.kind === 'bytes' ? { body: readBytes(file) } : { file: new File([readBytes(file)], path.basename(file)) };

/** Prints an answer as its kind has it: JSON, text as it is, events as they come; a file is put where it was asked for. */
async function print(out: Output, { response }: EndpointSpec, answer: unknown, file: string): Promise<void> {
  if (response.kind === 'file') await writeFile(file, (answer as Download).stream);
  else if (response.kind === 'events') for await (const event of answer as AsyncIterable<object>) out.json(event);
  else if (typeof answer === 'string') out.text(answer.split('\n').map(printable).join('\n'));
  else if (answer !== undefined) out.json(answer);
}

async function readBody(spec: EndpointSpec, source: string): Promise<Fields> {
  if (!takesFields(spec)) throw wrongUsage(`${spec.id} takes no body.`);
  const body = readJson(await readSource(source), 'body');
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Fields;
  throw wrongUsage('The body must be a JSON object.');
}

export const apiCommands = [
  command({
    name: 'api',
    summary: 'Calls any operation of the API; alone, lists the operations',
    arguments: {
      operation: { summary: 'Id of the operation', optional: true, choices: [...endpointsById.keys()] },
      field: {
        summary: 'name=value, for the path, the query, a header or the body; JSON values are sent as such',
        optional: true,
        many: true,
      },
    },
    options: {
      body: { value: 'BODY', summary: 'JSON for the body, @file, or - for stdin; fields are added to it' },
      output: { value: 'FILE', summary: 'Where to put a file that is answered' },
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
        throw wrongUsage(`${spec.id} answers with a file.`, 'Say where to put it: --output FILE.');
      }
      const body = options.body === undefined ? undefined : await readBody(spec, options.body);
      const { file, ...request } = readRequest(spec, args.field, body);
      // The server judges the values, so the types that the client would ask for are left out.
      const call = connect({ mayBeNobody: !needsCredential(spec) }).call as (
        spec: EndpointSpec,
        input: object,
      ) => ReturnType<Client>;
      const sent = file ? { ...request, ...readSent(spec, file) } : request;
      await print(out, spec, await call(spec, sent), options.output ?? '');
    },
  }),
];
