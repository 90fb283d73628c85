import { randomUUID } from 'node:crypto';
import { healthFamily as contractFamily, type HealthErrorBody, type HealthErrorCode } from '@mooring/contract';
import type { Static } from 'typebox';
import type { Deps } from '../../context.ts';
import type { Family } from '../../http/families.ts';
import { Failure, type FailureCode, statusOf } from '../../kernel/errors.ts';
import { isGuid } from './guid.ts';

/** The health API: its clients were made for another server, and find its addresses, headers and errors here. */

const isOurs = /^\/(subscriptions|providers)(?=[/?]|$)/i;

const words = new Set([
  ...['subscriptions', 'providers', 'events', 'readers', 'updates'],
  ...['webhooks', 'rotate', 'test', 'deliveries', 'replay', 'feeds'],
]);
/** What stands after one of these is a name that somebody chose, and not a word. */
const collections = new Set(['subscriptions', 'events', 'readers', 'webhooks', 'deliveries', 'feeds']);

/** Fixed words in any case, either vendor. */
function canonicalPaths(vendor: string): (url: string) => string {
  const providers = new Set(['vendor.resourcehealth', `${vendor.toLowerCase()}.resourcehealth`]);
  const isName = (segments: string[], index: number): boolean =>
    collections.has(segments[index - 1]?.toLowerCase() ?? '');

  return (url) => {
    const end = url.indexOf('?');
    const path = end === -1 ? url : url.slice(0, end);
    const canonical = path
      .split('/')
      .map((segment, index, all) => {
        if (isName(all, index)) return segment;
        const key = segment.toLowerCase();
        return providers.has(key) ? 'Vendor.ResourceHealth' : words.has(key) ? key : segment;
      })
      .join('/');
    return end === -1 ? canonical : canonical + url.slice(end);
  };
}

/** Ids by which both sides find a request again. */
const headers: NonNullable<Family['headers']> = ({ id, headers }) => {
  const correlation = headers['x-ms-correlation-request-id'];
  const client = headers['x-ms-client-request-id'];
  return {
    'x-ms-request-id': id,
    'x-ms-correlation-request-id': typeof correlation === 'string' && isGuid(correlation) ? correlation : randomUUID(),
    ...(typeof client === 'string' && /^[\w.-]{1,64}$/.test(client) ? { 'x-ms-client-request-id': client } : {}),
  };
};

/** Codes of `/v0.1` that are called otherwise here. */
const names: Partial<Record<FailureCode, HealthErrorCode>> = {
  Unauthorized: 'AuthenticationFailed',
  Forbidden: 'AuthorizationFailed',
  NotFound: 'ResourceNotFound',
};

const error = ({ code, message }: Failure, requestId: string): Static<typeof HealthErrorBody> => ({
  code: names[code] ?? (code as HealthErrorCode),
  message,
  details: `The id of the request is ${requestId}.`,
});

function checkVersion(supported: readonly string[]): NonNullable<Family['checkQuery']> {
  const list = supported.join(', ');
  return (query) => {
    const name = Object.keys(query).find((key) => key.toLowerCase() === 'api-version');
    const version = name && query[name];
    if (!version) {
      const message = 'The api-version query parameter (?api-version=) is required for all requests.';
      throw new Failure('MissingApiVersionParameter', `${message} Supported: ${list}.`);
    }
    if (!supported.includes(String(version))) {
      const message = `The api-version '${String(version).slice(0, 50)}' is invalid. The supported versions are '${list}'.`;
      throw new Failure('InvalidApiVersionParameter', message);
    }
  };
}

export const healthFamily = ({ config, publicUrl }: Pick<Deps, 'config' | 'publicUrl'>): Family => ({
  name: contractFamily.name,
  credentials: ['oauth', 'token', 'session'],
  owns: (url) => isOurs.test(url),
  toCanonical: canonicalPaths(config.vendorName),
  ignoresCase: true,
  headers,
  allowanceHeaders: ({ remaining }) => ({ 'x-ms-ratelimit-remaining-subscription-reads': remaining }),
  checkQuery: checkVersion(config.healthApiVersions),
  unauthenticated: (hasCredential) =>
    hasCredential
      ? new Failure('InvalidAuthenticationToken', 'The access token is invalid.')
      : new Failure('AuthenticationFailed', "Authentication failed. The 'Authorization' header is missing."),
  error,
  /** Where whoever is refused may sign in, as its clients look for it. */
  errorHeaders({ code, message }): Record<string, string> {
    if (statusOf[code] !== 401) return {};
    const where = `authorization_uri="${publicUrl()}/common/oauth2/authorize"`;
    const why = message.replace(/["\\\r\n]/g, "'").replace(/[^\x20-\x7e]/g, '?');
    return { 'www-authenticate': `Bearer ${where}, error="invalid_token", error_description="${why}"` };
  },
});
