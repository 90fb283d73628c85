import { SECOND } from '../../../kernel/clock.ts';
import { parseForeignJson } from '../../../kernel/json.ts';
import type { OutboundFetch, OutboundRequest } from '../../../outbound/fetch.ts';
import { OutboundError } from '../../../outbound/fetch.ts';

/** The bug tracker said no, and would say it again. */
export class TrackerRefusal extends Error {
  override name = 'TrackerRefusal';
  readonly isUnauthorized: boolean;
  constructor(message: string, isUnauthorized = false) {
    super(message);
    this.isUnauthorized = isUnauthorized;
  }
}

export type Fields = Record<string, unknown>;

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
export const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : []);
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
export const numberOf = (value: unknown): number | undefined => {
  const number = Number(value);
  return Number.isSafeInteger(number) && value !== null && value !== '' ? number : undefined;
};

/** An address that people may follow: a tracker could answer anything. */
export const linkOf = (value: unknown): string | undefined => {
  const text = textOf(value);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined;
};

export interface ApiRequest {
  method?: OutboundRequest['method'];
  body?: object;
  /** Of the body. */
  type?: string;
  /** Statuses that are answers, too. */
  accepts?: readonly number[];
}

export interface ApiAnswer {
  status: number;
  value: unknown;
}

export type Api = (path: string, request?: ApiRequest) => Promise<ApiAnswer>;

export interface ApiOptions {
  fetch: OutboundFetch;
  baseUrl: string;
  headers: Record<string, string>;
  /** What must never be shown, whatever the tracker answers. */
  secrets: readonly string[];
}

const TIMEOUT = 20 * SECOND;
const LARGEST = 8 * 1024 * 1024;

function parse(body: Buffer): unknown {
  try {
    return parseForeignJson(body);
  } catch {
    return undefined;
  }
}

/** What a tracker says in its own words; each has another field for it. */
function messageIn(value: unknown): string {
  const { message, error, errorMessages, errors } = fieldsOf(value);
  const said = [message, error, ...(Array.isArray(errorMessages) ? errorMessages : []), errors].filter(Boolean);
  return said.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join(' ');
}

/** Speaks with the interface of a bug tracker: what cannot be answered now may be later, what was refused stays so. */
export function createApi({ fetch, baseUrl, headers, secrets }: ApiOptions): Api {
  const { host } = new URL(baseUrl);
  const shown = (text: string): string =>
    secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text).slice(0, 500);
  return async (path, { method = 'GET', body, type = 'application/json', accepts = [] } = {}) => {
    const answer = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { accept: 'application/json', ...headers, ...(body ? { 'content-type': type } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
      timeoutMs: TIMEOUT,
      maxBytes: LARGEST,
    });
    const { status } = answer;
    const value = parse(answer.body);
    // A sign-in page is no answer; some send it with status 203.
    const isAnswer = status >= 200 && status < 300 && status !== 203 && value !== undefined;
    if (isAnswer || accepts.includes(status)) return { status, value };
    const reason = shown(`${host} answered ${status}: ${messageIn(value) || 'nothing that can be read'}`);
    const isTooMuch =
      status === 429 ||
      (status === 403 && (answer.headers['retry-after'] ?? answer.headers['x-ratelimit-remaining'] === '0'));
    if (isTooMuch || status >= 500) throw new OutboundError('unreachable', reason);
    throw new TrackerRefusal(reason, status === 401 || status === 403 || status === 203);
  };
}
