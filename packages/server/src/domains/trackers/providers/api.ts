import { SECOND } from '../../../kernel/clock.ts';
import { parseForeignJson } from '../../../kernel/text/json.ts';
import type { OutboundFetch, OutboundRequest } from '../../../outbound/fetch.ts';
import { OutboundError } from '../../../outbound/fetch.ts';

/** The bug tracker rejected the request permanently. */
export class TrackerRefusal extends Error {
  override name = 'TrackerRefusal';
  readonly isUnauthorized: boolean;
  constructor(message: string, isUnauthorized = false) {
    super(message);
    this.isUnauthorized = isUnauthorized;
  }
}

export type Fields = Record<string, unknown>;

export const toFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
export const toList = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(toFields) : []);
export const toText = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
export const toNumber = (value: unknown): number | undefined => {
  const number = Number(value);
  return Number.isSafeInteger(number) && value !== null && value !== '' ? number : undefined;
};

/** Validates a URL from a tracker, which may send anything, before users follow it. */
export const toLink = (value: unknown): string | undefined => {
  const text = toText(value);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined;
};

export interface ApiRequest {
  method?: OutboundRequest['method'];
  body?: object;
  /** Content type of the body. */
  type?: string;
  /** Error statuses that the caller handles. */
  accepts?: readonly number[];
}

export interface ApiResponse {
  status: number;
  value: unknown;
}

export type Api = (path: string, request?: ApiRequest) => Promise<ApiResponse>;

export interface ApiOptions {
  fetch: OutboundFetch;
  baseUrl: string;
  headers: Record<string, string>;
  /** Removed from all messages, even if the tracker repeats them. */
  secrets: readonly string[];
}

const TIMEOUT = 20 * SECOND;
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;

function parse(body: Buffer): unknown {
  try {
    return parseForeignJson(body);
  } catch {
    return undefined;
  }
}

/** Extracts the error message; each tracker uses another field. */
function messageIn(value: unknown): string {
  const { message, error, errorMessages, errors } = toFields(value);
  const messages = [message, error, ...(Array.isArray(errorMessages) ? errorMessages : []), errors].filter(Boolean);
  return messages.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join(' ');
}

/** Creates a client for the API of a bug tracker. Temporary failures are retried; rejections are final. */
export function createApi({ fetch, baseUrl, headers, secrets }: ApiOptions): Api {
  const { host } = new URL(baseUrl);
  const shown = (text: string): string =>
    secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text).slice(0, 500);
  return async (path, { method = 'GET', body, type = 'application/json', accepts = [] } = {}) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { accept: 'application/json', ...headers, ...(body ? { 'content-type': type } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
      timeoutMs: TIMEOUT,
      maxBytes: MAX_RESPONSE_BYTES,
    });
    const { status } = response;
    const value = parse(response.body);
    // A sign-in page is an error; some servers send it with status 203.
    const isSuccess = status >= 200 && status < 300 && status !== 203 && value !== undefined;
    if (isSuccess || accepts.includes(status)) return { status, value };
    const reason = shown(`${host} responded with ${status}: ${messageIn(value) || 'no readable message'}`);
    const isTooMuch =
      status === 429 ||
      (status === 403 && (response.headers['retry-after'] ?? response.headers['x-ratelimit-remaining'] === '0'));
    if (isTooMuch || status >= 500) throw new OutboundError('unreachable', reason);
    throw new TrackerRefusal(reason, status === 401 || status === 403 || status === 203);
  };
}
