import { gzipSync } from 'node:zlib';
import { type EndpointSpec, endpoints, getBodyFields, pathParams } from '@mooring/contract';
import { getExample } from '@mooring/contract/examples';
import { exampleRequest, type Fixtures } from '@mooring/contract/fixtures';
import type { Random } from '../../../tools/samples/random.ts';
import { cursors, filters, jsonValues, pathTricks, segments, texts } from './hostile-values.ts';

/** An invalid request, with all data to repeat it. */
export interface Attempt {
  operation: string;
  /** The applied mutations. */
  mutations: string[];
  method: string;
  path: string;
  headers: [name: string, value: string][];
  body: Buffer | undefined;
  /** Send slowly, interrupt, or send bytes that are not HTTP. */
  way: 'plain' | 'slow' | 'early' | 'raw';
}

export interface Callers {
  ada: string;
  grace: string;
  readOnly: string;
  app: string;
}

interface Draft extends Attempt {
  spec: EndpointSpec | undefined;
  json: unknown;
}

type Ids = Fixtures['ids'];
type Mutation = (draft: Draft, chance: Random, ids: Ids) => void;

/** Paths that are not operations. */
const others = [
  ...['/feeds/none/events.atom', '/feeds/none/maintenance.ics', '/avatars/none.png', '/docs', '/docs/none', '/'],
  ...['/common/oauth2/authorize?client_id=x', '/common/oauth2/token', '/common/oauth2/v2.0/authorize', '/healthz'],
  ...[
    '/readyz',
    '/metrics',
    '/sign-in',
    '/.well-known/openid-configuration',
    '/common/discovery/keys',
    '/openapi.json',
  ],
];

/** Replaces a random place of a value, or sometimes removes it. */
function disturb(value: unknown, chance: Random): unknown {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (entries.length === 0 || chance.next() < 0.15) return chance.pick(jsonValues);
  const [chosen, inner] = chance.pick(entries);
  const isGone = chance.next() < 0.1;
  const changed = entries.flatMap(([key, item]) =>
    key !== chosen ? [[key, item]] : isGone ? [] : [[key, disturb(inner, chance)]],
  );
  return Array.isArray(value) ? changed.map(([, item]) => item) : Object.fromEntries(changed);
}

const setHeader = (draft: Draft, name: string, value: string): void => {
  draft.headers = [...draft.headers.filter(([known]) => known !== name), [name, value]];
};

const addQuery = (draft: Draft, pair: string): void => {
  draft.path += `${draft.path.includes('?') ? '&' : '?'}${pair}`;
};

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());
const replaceBody = (draft: Draft, body: string | Buffer): void => {
  draft.body = Buffer.from(body as string);
  draft.json = undefined;
};
const getText = (draft: Draft): string => draft.body?.toString('latin1') ?? JSON.stringify(draft.json ?? {});

const mutations: Record<string, Mutation> = {
  value: (draft, chance) => {
    draft.json = disturb(draft.json ?? (draft.spec && getExample(draft.spec).body) ?? {}, chance);
  },
  text: (draft, chance) => {
    const entries = Object.entries((draft.json ?? (draft.spec && getExample(draft.spec).body) ?? {}) as object);
    const key = entries.length > 0 ? chance.pick(entries)[0] : 'name';
    draft.json = { ...Object.fromEntries(entries), [key]: chance.pick(texts) };
  },
  unknownField: (draft, chance) => {
    draft.json = { ...(draft.json as object), [chance.pick(texts)]: chance.pick(jsonValues) };
  },
  everyField: (draft, chance) => {
    const names = Object.keys(getBodyFields(draft.spec?.request));
    draft.json = Object.fromEntries(names.map((name) => [name, chance.pick([...jsonValues, ...texts])]));
  },
  twiceTheField: (draft) => replaceBody(draft, getText(draft).replace(/^\{"(\w+)":/, '{"$1":1,"$1":')),
  cutBody: (draft, chance) => {
    const text = getText(draft);
    replaceBody(draft, text.slice(0, chance.between(0, text.length)));
  },
  brokenText: (draft) =>
    replaceBody(draft, Buffer.concat([Buffer.from(getText(draft)), Buffer.from([0xff, 0xfe, 0xc0])])),
  wrongBytes: (draft, chance) => {
    const bytes = Buffer.from(getText(draft), 'latin1');
    if (bytes.length > 0) bytes[chance.between(0, bytes.length - 1)] = chance.between(0, 255);
    replaceBody(draft, bytes);
  },
  mark: (draft) => replaceBody(draft, `\ufeff${getText(draft)}`),
  deepBody: (draft, chance) => {
    const depth = chance.pick([100, 5000, 100_000]);
    replaceBody(draft, `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);
  },
  hugeBody: (draft, chance) =>
    replaceBody(draft, `{"name":"${'x'.repeat(chance.pick([70_000, 900_000, 1_200_000]))}"}`),
  emptyBody: (draft) => replaceBody(draft, ''),
  type: (draft, chance) =>
    setHeader(
      draft,
      'content-type',
      chance.pick([
        ...[
          'text/plain',
          'application/xml',
          'application/json; charset=utf-16',
          'application/json;;;=',
          'multipart/form-data',
        ],
        ...[
          'multipart/form-data; boundary=',
          'application/x-www-form-urlencoded',
          'application/x-ndjson',
          '/',
          'a'.repeat(3000),
        ],
      ]),
    ),
  brokenGzip: (draft, chance) => {
    const zipped = gzipSync(getText(draft));
    replaceBody(draft, chance.pick([zipped, zipped.subarray(0, 12), Buffer.from('not gzip at all')]));
    setHeader(draft, 'content-encoding', chance.pick(['gzip', 'deflate', 'br', 'gzip, gzip', 'x']));
  },
  segment: (draft, chance) => {
    const [path = '', query] = draft.path.split('?');
    const parts = path.split('/');
    parts[chance.between(1, parts.length - 1)] = chance.pick(segments);
    draft.path = parts.join('/') + (query === undefined ? '' : `?${query}`);
  },
  parameter: (draft, chance, ids) => {
    const names = pathParams(draft.spec?.path ?? '');
    if (!draft.spec || names.length === 0) return;
    const params = { [chance.pick(names)]: chance.pick(texts).toWellFormed() };
    draft.path = exampleRequest(draft.spec, { ids, params }).url;
  },
  trick: (draft, chance) => {
    draft.path = chance.pick(pathTricks)(draft.path);
  },
  query: (draft, chance) => {
    const names = [...Object.keys(draft.spec?.query?.properties ?? {}), 'limit', 'cursor', '$filter', 'queryStartTime'];
    const value = chance.pick([chance.pick(texts), chance.pick(cursors), chance.pick(filters)]);
    addQuery(draft, `${chance.pick(names)}=${encoded(value)}`);
  },
  twiceTheQuery: (draft, chance) => {
    const names = [...Object.keys(draft.spec?.query?.properties ?? {}), 'api-version', 'limit'];
    const name = chance.pick(names);
    addQuery(draft, `${name}=2024-02-01&${name}=${encoded(chance.pick(texts))}&${name}[]=1&${name}[a]=1`);
  },
  oddQuery: (draft, chance) =>
    addQuery(
      draft,
      chance.pick(['=', '&&&', '%', '%ff=%fe', 'a', '__proto__=1', `${'a=1&'.repeat(1000)}`, '?', 'a=%00']),
    ),
  header: (draft, chance) => {
    const name = chance.pick([
      ...[
        'accept',
        'accept-encoding',
        'accept-language',
        'if-none-match',
        'if-modified-since',
        'range',
        'origin',
        'referer',
      ],
      ...['host', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'forwarded', 'x-http-method-override'],
      ...['sec-fetch-site', 'user-agent', 'cookie', 'x-ms-client-request-id', 'x-ms-correlation-request-id', 'prefer'],
      ...['if-match', 'upgrade', 'te', 'via', 'expect'],
    ]);
    draft.headers.push([name, chance.pick(texts).replace(/[^\x20-\x7e\x80-\xff]/g, '?')]);
  },
  credential: (draft, chance) => {
    draft.headers = draft.headers.filter(([name]) => name !== 'x-api-token');
    const value = chance.pick(texts).replace(/[^\x20-\x7e\x80-\xff]/g, '?');
    draft.headers.push(
      chance.pick<[string, string]>([
        ['x-api-token', value],
        ['authorization', value],
        ['authorization', `Bearer ${value}`],
        ['authorization', `Basic ${Buffer.from(value).toString('base64')}`],
        ['authorization', 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ.'],
        ['authorization', `Bearer ${Buffer.from('{"alg":"RS256","kid":"\\u0000"}').toString('base64url')}.e30.AA`],
        ['cookie', `mooring_session=${value}`],
      ]),
    );
  },
  method: (draft, chance) => {
    draft.method = chance.pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PROPFIND', 'TRACE']);
  },
};

const raws = [
  'GET / HTTP/9.9\r\n\r\n',
  'GET /v0.1/user HTTP/1.1\r\n\r\n',
  'GET  /v0.1/user HTTP/1.1\r\nHost: x\r\n\r\n',
  '\r\n\r\n\r\n',
  '\0\0\0\0\0',
  'POST /v0.1/sessions HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n{"a":}',
  'POST /v0.1/sessions HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n{}',
  'POST /v0.1/sessions HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'POST /v0.1/sessions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  'POST /v0.1/sessions HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, chunked\r\n\r\nffffffffffffffffff\r\n',
  'POST /v0.1/sessions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'POST /v0.1/sessions HTTP/1.1\r\nHost: x\r\nExpect: 200-maybe\r\nContent-Length: 2\r\n\r\n{}',
  'GET /v0.1/user HTTP/1.1\r\nHost: x\r\nX : y\r\n\r\n',
  'GET /v0.1/user HTTP/1.1\r\nHost: x\r\n folded\r\n\r\n',
  'GET /v0.1/user HTTP/1.1\r\nHost: x\r\nX-Api-Token: a\0b\r\n\r\n',
  'GET http://else.example.com/v0.1/user HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'GET //v0.1/user?\u00ff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: x\r\n${'X: y\r\n'.repeat(3000)}\r\n`,
  'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n',
  'GET /v0.1/user HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n\r\n',
  `${'GET /v0.1/server HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20)}GET /v0.1/server HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
];

function createDraft(chance: Random, ids: Ids, callers: Callers): Draft {
  const spec = chance.next() < 0.05 ? undefined : chance.pick(endpoints);
  const token = chance.pick([
    callers.ada,
    callers.ada,
    callers.ada,
    callers.ada,
    callers.grace,
    callers.readOnly,
    callers.app,
    '',
  ]);
  const headers: Draft['headers'] = [['host', 'localhost']];
  if (token) headers.push(['x-api-token', token]);
  const plain = { mutations: [], body: undefined, json: undefined, way: 'plain' } as const;
  if (!spec) {
    const method = chance.pick(['GET', 'GET', 'POST']);
    return { ...plain, operation: 'none', mutations: [], spec, method, path: chance.pick(others), headers };
  }
  const request = exampleRequest(spec, { ids });
  const { method, url: path, body } = request;
  const draft: Draft = { ...plain, operation: spec.id, mutations: [], spec, method, path, headers };
  for (const [name, value] of Object.entries(request.headers)) setHeader(draft, name, value);
  if (spec.request?.kind === 'json' && typeof body === 'string') draft.json = JSON.parse(body);
  else if (body !== undefined) draft.body = Buffer.from(body as string);
  return draft;
}

/** A request with one to three mutations. */
export function mutate(chance: Random, id: string, ids: Ids, callers: Callers): Attempt {
  if (chance.next() < 0.01) {
    const body = Buffer.from(chance.pick(raws), 'latin1');
    return { operation: 'none', mutations: ['raw'], method: '', path: '', headers: [], body, way: 'raw' };
  }
  const draft = createDraft(chance, ids, callers);
  for (const name of chance.some(Object.keys(mutations), chance.between(1, 3))) {
    mutations[name]?.(draft, chance, ids);
    draft.mutations.push(name);
  }
  const { spec: _, json, ...attempt } = draft;
  if (json !== undefined) {
    attempt.body = Buffer.from(JSON.stringify(json));
    if (!attempt.headers.some(([name]) => name === 'content-type')) {
      attempt.headers.push(['content-type', 'application/json']);
    }
  }
  attempt.headers.push(['x-request-id', id]);
  const way = chance.next();
  if (way < 0.005 && attempt.body) attempt.way = 'slow';
  else if (way < 0.02) attempt.way = 'early';
  return attempt;
}
