import { gzipSync } from 'node:zlib';
import { type EndpointSpec, fieldsOf, needsCredential } from '@mooring/contract';
import { exampleOf } from '@mooring/contract/examples';
import { exampleRequest, type World } from '@mooring/contract/world';
import type { Attempt } from './mutations.ts';
import { worstFiles } from './worst-files.ts';
import { fill, type Schema, slowTexts, type Worst, worstBodies } from './worst-values.ts';

/** The usual limits of a body and of a request line with its headers, with some room for the rest. */
const MAX_BODY = 1_040_000;
const MAX_LINE = 12_000;

export interface WorstRequest extends Attempt {
  shape: string;
}

interface Draft {
  shape: string;
  url?: string;
  headers?: [string, string][];
  body?: string | Buffer;
}

let serial = 0;
const nextWorst = (flavor: string, isRepeated: boolean): Worst => {
  serial += 1;
  return { budget: MAX_BODY - 2000, flavor, isRepeated, n: serial * 1_000_000 };
};
const cut = (text: string): string => (Buffer.byteLength(text) <= MAX_BODY ? text : '');

/** Bodies that any JSON endpoint gets, whatever its schema says. */
function genericBodies(example: unknown): [string, string][] {
  const shown = JSON.stringify(example ?? {});
  const open = shown.startsWith('{') ? (shown === '{}' ? '{' : `${shown.slice(0, -1)},`) : '{';
  const many = (count: number, make: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => make(n)).join(',');
  return [
    ['more keys than allowed', `${open}${many(80_000, (n) => `"k${n}":0`)}}`],
    ['more values than allowed', `${open}"wide":[${many(340_000, () => '[]')}]}`],
    ['deeper than allowed', `${open}"deep":[${many(8000, () => `${'['.repeat(60)}${']'.repeat(60)}`)}]}`],
    ['many keys', `${open}${many(4900, (n) => `"${'k'.repeat(190)}${n}":0`)}}`],
    ['objects of many keys', `${open}"wide":[${many(9, (i) => `{${many(4900, (n) => `"${i}k${n}":0`)}}`)}]}`],
    ['one key again and again', `${open}${many(4900, () => '"kk":0')}}`],
    ['deep', `${open}"deep":[${many(780, () => `${'['.repeat(60)}${']'.repeat(60)}`)}]}`],
    ['many empty objects', `${open}"wide":[${many(24_000, () => '{}')}]}`],
    // Backslashes that are escaped themselves: not NUL, but each has to be looked at.
    ['what looks like NUL', `${open}"nul":[${many(48_000, () => '"\\\\u0000"')}]}`],
    ['a long number', `${open}"number":${'9'.repeat(1_000_000)}}`],
    ['many numbers', `${open}"numbers":[${many(48_000, () => '1.234567890123e-300')}]}`],
    ['escapes', `${open}"text":"${'\\u0041'.repeat(170_000)}"}`],
    ['only spaces', ' '.repeat(MAX_BODY)],
    ['an array', `[${many(24_000, () => '{}')}]`],
  ];
}

function jsonDrafts(schema: Schema, example: unknown): Draft[] {
  const bodies = [
    ...worstBodies(schema, example, nextWorst(slowTexts[0] ?? '', false)),
    ...worstBodies(schema, example, nextWorst('a', true)).map(([name, body]) => [`${name}, repeated`, body] as const),
    ...slowTexts.map((flavor) => {
      const [, body] = worstBodies(schema, example, nextWorst(flavor, false)).at(-1) ?? [];
      return [`every field of ${JSON.stringify(flavor.slice(0, 10))}`, body] as const;
    }),
  ];
  return [
    ...bodies.map(([shape, body]) => ({ shape, body: cut(JSON.stringify(body)) })),
    ...genericBodies(example).map(([shape, body]) => ({ shape, body })),
  ].filter(({ body }) => body !== '');
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

function bodyDrafts(spec: EndpointSpec, ids: World['ids']): Draft[] {
  const { request } = spec;
  if (!request) return [];
  const sample = exampleRequest(spec, { ids });
  if (request.kind === 'json') return jsonDrafts(request.schema as Schema, JSON.parse(String(sample.body ?? '{}')));
  if (request.kind === 'form') {
    const fields = String(sample.body);
    return [
      { shape: 'many fields', body: `${fields}&${'a=1&'.repeat(request.maxBytes)}`.slice(0, request.maxBytes) },
      { shape: 'one long field', body: `${fields}&a=${'%25'.repeat(request.maxBytes)}`.slice(0, request.maxBytes - 3) },
    ];
  }
  return worstFiles(spec, exampleOf(spec).body).map(({ shape, body, type, isCompressed }) => ({
    shape,
    body: isCompressed ? gzipSync(body, { level: 9 }) : body,
    headers: [
      ...(type ? [['content-type', type] as [string, string]] : []),
      ...(isCompressed ? [['content-encoding', 'gzip'] as [string, string]] : []),
    ],
  }));
}

export interface Callers {
  owner: string;
}

/** The few requests of an endpoint that are usually the dearest: every field as long as it may be, and each array by itself. */
export function dearestRequests(spec: EndpointSpec, ids: World['ids'], callers: Callers): WorstRequest[] {
  const all = worstRequests(spec, ids, callers);
  const isChosen = ({ shape, body }: WorstRequest): boolean =>
    ['every field', 'whole', 'objects of many keys', 'every query parameter', 'query $filter'].includes(shape) ||
    // A field that can hold this much has no limit of its own.
    (!/repeated|allowed/.test(shape) && shape in fieldsOf(spec.request) && (body?.length ?? 0) > 100_000);
  return all.filter(isChosen);
}

/** All the worst requests of an endpoint that a legitimate caller can make; the largest bodies come first. */
export function worstRequests(spec: EndpointSpec, ids: World['ids'], { owner }: Callers): WorstRequest[] {
  const sample = exampleRequest(spec, { ids });
  const base: [string, string][] = [
    ['host', 'localhost'],
    ...(needsCredential(spec) ? [['x-api-token', owner] as [string, string]] : []),
    ...Object.entries(sample.headers),
  ];
  const drafts = [...bodyDrafts(spec, ids), ...queryDrafts(spec, sample.url), ...headerDrafts];
  return drafts.map(({ shape, url = sample.url, headers = [], body = sample.body }) => {
    const names = new Set(headers.map(([name]) => name));
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
  });
}
