import { gzipSync } from 'node:zlib';
import { type EndpointSpec, endpoints, getBodyFields, needsCredential } from '@mooring/contract';
import { getExample } from '@mooring/contract/examples';
import { exampleRequest, type Fixtures } from '@mooring/contract/fixtures';
import type { Attempt } from './mutations.ts';
import { worstFiles } from './worst-files.ts';
import { fill, isUnlimited, type Schema, slowTexts, type Worst, worstBodies } from './worst-values.ts';

/** The default limits of a body and of a request line with headers, minus some space for the rest. */
const MAX_BODY = 1_040_000;
const MAX_LINE = 12_000;

export interface WorstRequest extends Attempt {
  shape: string;
}

interface Draft {
  shape: string;
  /** Part of the short form. */
  isDearest?: boolean;
  url?: string;
  headers?: [string, string][];
  body?: () => string | Buffer;
}

let serial = 0;
const nextWorst = (flavor: string, isRepeated: boolean): Worst => {
  serial += 1;
  return { budget: MAX_BODY - 2000, flavor, isRepeated, n: serial * 1_000_000 };
};
const many = (count: number, make: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => make(n)).join(',');
const nest = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

/** Fields added to those of the example in the body of any JSON endpoint. */
const moreFields: Readonly<Record<string, () => string>> = {
  'more keys than allowed': () => many(80_000, (n) => `"k${n}":0`),
  'more values than allowed': () => `"wide":[${many(340_000, () => '[]')}]`,
  'deeper than allowed': () => `"deep":[${many(8000, () => nest(60))}]`,
  'many keys': () => many(4900, (n) => `"${'k'.repeat(190)}${n}":0`),
  'objects with many keys': () => `"wide":[${many(9, (i) => `{${many(4900, (n) => `"${i}k${n}":0`)}}`)}]`,
  'one key repeated': () => many(4900, () => '"kk":0'),
  deep: () => `"deep":[${many(780, () => nest(60))}]`,
  'many empty objects': () => `"wide":[${many(24_000, () => '{}')}]`,
  // Not NUL characters, but each must be checked.
  'escaped backslashes before u0000': () => `"nul":[${many(48_000, () => '"\\\\u0000"')}]`,
  'a long number': () => `"number":${'9'.repeat(1_000_000)}`,
  'many numbers': () => `"numbers":[${many(48_000, () => '1.234567890123e-300')}]`,
  escapes: () => `"text":"${'\\u0041'.repeat(170_000)}"`,
};
/** Created once, because there are hundreds of endpoints. */
const cachedFields = new Map<string, string>();
const makeFields = (shape: string): string => {
  const made = cachedFields.get(shape) ?? moreFields[shape]?.() ?? '';
  cachedFields.set(shape, made);
  return made;
};

function genericDrafts(example: unknown): Draft[] {
  const shown = JSON.stringify(example ?? {});
  const open = shown.startsWith('{') && shown !== '{}' ? `${shown.slice(0, -1)},` : '{';
  return [
    ...Object.keys(moreFields).map((shape) => ({ shape, body: () => `${open}${makeFields(shape)}}` })),
    { shape: 'only spaces', body: () => ' '.repeat(MAX_BODY) },
    { shape: 'an array', body: () => `[${many(24_000, () => '{}')}]` },
  ];
}

function jsonDrafts(schema: Schema, example: unknown): Draft[] {
  const bodies = [
    ...worstBodies(schema, example, nextWorst(slowTexts[0] ?? '', false)),
    ...worstBodies(schema, example, nextWorst('a', true)).map(([name, make]) => [`${name}, repeated`, make] as const),
    ...slowTexts.flatMap((flavor) =>
      worstBodies(schema, example, nextWorst(flavor, false))
        .slice(-1)
        .map(([name, make]) => [`${name} of ${JSON.stringify(flavor.slice(0, 10))}`, make] as const),
    ),
  ];
  return [...bodies.map(([shape, make]) => ({ shape, body: () => JSON.stringify(make()) })), ...genericDrafts(example)];
}

/** A filter of the health API as long as a request line, in several forms. */
const longFilters = [
  Array.from({ length: 180 }, (_, n) => `properties/title eq '${n}'`).join(' or '),
  `${'('.repeat(3000)}properties/title eq 'a'${')'.repeat(3000)}`,
  `${'not '.repeat(1500)}(properties/title eq 'a')`,
  `contains(properties/title, '${'a'.repeat(8000)}b')`,
];

const withQuery = (url: string, name: string, value: string): string => {
  const [path = '', query = ''] = url.split('?');
  const params = new URLSearchParams(query);
  params.set(name, value);
  return `${path}?${params}`.slice(0, MAX_LINE).replace(/%[0-9A-F]?$/, '');
};

function queryValues(name: string, schema: Schema): string[] {
  if (name === '$filter') return longFilters;
  if (schema.enum) return [];
  if (schema.format === 'date-time' || schema.format === 'day' || schema.format === 'date') {
    return ['1970-01-01T00:00:00Z', '2026-11-18T00:00:00Z'];
  }
  if (schema.type === 'integer' || schema.type === 'number') return [String(schema.maximum ?? 2 ** 31 - 1)];
  const length = Math.min(schema.maxLength ?? MAX_LINE, MAX_LINE);
  return [fill('a', length), ...slowTexts.map((text) => fill(text, Math.min(length, 4000)))];
}

function queryDrafts({ query }: EndpointSpec, url: string): Draft[] {
  const fields = Object.entries((query?.properties ?? {}) as Record<string, Schema>);
  const every = fields.reduce((all, [name, schema]) => withQuery(all, name, queryValues(name, schema)[0] ?? ''), url);
  return [
    ...fields.flatMap(([name, schema]) =>
      queryValues(name, schema).map((value) => ({ shape: `query ${name}`, url: withQuery(url, name, value) })),
    ),
    ...(fields.length > 1 ? [{ shape: 'every query parameter', url: every }] : []),
    { shape: 'many query parameters', url: `${url}${url.includes('?') ? '&' : '?'}${'a=1&'.repeat(2900)}` },
    {
      shape: 'different query parameters',
      url: `${url}${url.includes('?') ? '&' : '?'}${Array.from({ length: 1500 }, (_, n) => `q${n}=`).join('&')}`,
    },
  ];
}

const headerDrafts: Draft[] = [
  { shape: 'many headers', headers: Array.from({ length: 900 }, (_, n) => [`x-${n}`, '1']) },
  { shape: 'a long list of ETags', headers: [['if-none-match', '"a",'.repeat(2500)]] },
  { shape: 'many ranges', headers: [['range', `bytes=${'0-1,'.repeat(2500)}0-1`]] },
  {
    shape: 'a long list of languages',
    headers: [
      ['accept-language', 'en;q=0.1,'.repeat(1200)],
      ['accept', 'a/b;q=0.1,'.repeat(200)],
    ],
  },
  { shape: 'many cookies', headers: [['cookie', 'a=b; '.repeat(2300)]] },
  { shape: 'a long user agent', headers: [['user-agent', fill('Mozilla/5.0 (', 11_000)]] },
];

function bodyDrafts(spec: EndpointSpec, ids: Fixtures['ids']): Draft[] {
  const { request } = spec;
  if (!request) return [];
  const sample = exampleRequest(spec, { ids });
  if (request.kind === 'json') return jsonDrafts(request.schema as Schema, JSON.parse(String(sample.body ?? '{}')));
  if (request.kind === 'form') {
    const fields = String(sample.body);
    return [
      { shape: 'many fields', body: () => `${fields}&${'a=1&'.repeat(request.maxBytes)}`.slice(0, request.maxBytes) },
      {
        shape: 'one long field',
        body: () => `${fields}&a=${'%25'.repeat(request.maxBytes)}`.slice(0, request.maxBytes - 3),
      },
    ];
  }
  if (request.kind === 'parts') {
    const headers: [string, string][] = [['content-type', 'multipart/form-data; boundary=0123456789']];
    const whole = (part: string) => {
      const count = Math.floor((request.maxBytes - 100) / part.length);
      return `${part.repeat(count)}--0123456789--\r\n`;
    };
    const field = '--0123456789\r\nContent-Disposition: form-data; name="a"\r\n\r\n';
    return [
      { shape: 'many parts', headers, body: () => whole(`${field}\r\n`) },
      {
        shape: 'many empty files',
        headers,
        body: () =>
          whole(
            `--0123456789\r\nContent-Disposition: form-data; name="${request.files.field}"; filename="a"\r\n\r\n\r\n`,
          ),
      },
      {
        shape: 'almost boundaries',
        headers,
        body: () => `${field}${'\r\n--'.repeat((request.maxBytes - 200) / 4)}\r\n--0123456789--`,
      },
    ];
  }
  return worstFiles(spec, getExample(spec).body).map(({ shape, body, type, isCompressed, isDearest = false }) => ({
    shape,
    isDearest,
    body: () => (isCompressed ? gzipSync(body(), { level: 9 }) : body()),
    headers: [
      ...(type ? [['content-type', type] as [string, string]] : []),
      ...(isCompressed ? [['content-encoding', 'gzip'] as [string, string]] : []),
    ],
  }));
}

export interface Callers {
  owner: string;
}

function prepareDrafts(spec: EndpointSpec, ids: Fixtures['ids']): Draft[] {
  return [...bodyDrafts(spec, ids), ...queryDrafts(spec, exampleRequest(spec, { ids }).url), ...headerDrafts];
}

function createRequest(spec: EndpointSpec, ids: Fixtures['ids'], { owner }: Callers, draft: Draft): WorstRequest {
  const sample = exampleRequest(spec, { ids });
  const { shape, url = sample.url, headers = [] } = draft;
  const names = new Set(headers.map(([name]) => name));
  const base: [string, string][] = [
    ['host', 'localhost'],
    ...(needsCredential(spec) ? [['x-api-token', owner] as [string, string]] : []),
    ...Object.entries(sample.headers),
  ];
  const body = draft.body ? draft.body() : sample.body;
  return {
    shape,
    operation: spec.id,
    mutations: [shape],
    method: spec.method,
    path: url,
    headers: [...base.filter(([name]) => !names.has(name)), ...headers],
    body: body === undefined ? undefined : Buffer.from(body as string),
    way: 'plain',
  };
}

const DEAREST = ['every field', 'whole', 'every query parameter', 'query $filter'];
/** All operations reject or parse these in the same way, so only one endpoint of each domain gets them. */
const PARSED = 'objects with many keys';
const domainName = ({ id }: EndpointSpec): string => id.split('_')[0] ?? id;
const samples = new Set(
  [
    ...Map.groupBy(
      endpoints.filter(({ request }) => request?.kind === 'json'),
      domainName,
    ).values(),
  ].map(([first]) => first),
);

/**
 * The requests of an endpoint that usually cost most: all fields at their maximum length, and each unlimited field
 * alone.
 */
export function dearestRequests(spec: EndpointSpec, ids: Fixtures['ids'], callers: Callers): WorstRequest[] {
  const fields = getBodyFields(spec.request) as Record<string, Schema>;
  return prepareDrafts(spec, ids)
    .filter(
      ({ shape, isDearest }) =>
        isDearest ||
        DEAREST.includes(shape) ||
        (shape === PARSED && samples.has(spec)) ||
        (fields[shape] && isUnlimited(fields[shape])),
    )
    .map((draft) => createRequest(spec, ids, callers, draft));
}

/** All worst requests of a legitimate caller of an endpoint, one by one, because together they are many megabytes. */
export function* worstRequests(spec: EndpointSpec, ids: Fixtures['ids'], callers: Callers): Generator<WorstRequest> {
  for (const draft of prepareDrafts(spec, ids)) yield createRequest(spec, ids, callers, draft);
}
