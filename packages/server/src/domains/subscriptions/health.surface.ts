import { randomUUID } from 'node:crypto';
import { healthSurface as contractSurface, type HealthErrorBody, type HealthErrorCode } from '@mooring/contract';
import type { Static } from 'typebox';
import type { Deps } from '../../context.ts';
import type { ApiSurface } from '../../http/api-surfaces.ts';
import { Failure, type FailureCode, statusByCode } from '../../kernel/errors.ts';
import { isGuid } from './guid.ts';

/** The health API: existing clients expect the URLs, headers and errors of Azure. */

const isOurs = /^\/(subscriptions|providers)(?=[/?]|$)/i;

const keywords = new Set([
  ...['subscriptions', 'providers', 'events', 'readers', 'updates'],
  ...['webhooks', 'rotate', 'test', 'deliveries', 'replay', 'feeds'],
]);
/** The segment after one of these is a name, not a fixed word. */
const collections = new Set(['subscriptions', 'events', 'readers', 'webhooks', 'deliveries', 'feeds']);

/** Accepts fixed words in any case, and either vendor name. */
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
        return providers.has(key) ? 'Vendor.ResourceHealth' : keywords.has(key) ? key : segment;
      })
      .join('/');
    return end === -1 ? canonical : canonical + url.slice(end);
  };
}

/** IDs that identify a request on both sides. */
const headers: NonNullable<ApiSurface['headers']> = ({ id, headers }) => {
  const correlation = headers['x-ms-correlation-request-id'];
  const client = headers['x-ms-client-request-id'];
  return {
    'x-ms-request-id': id,
    'x-ms-correlation-request-id': typeof correlation === 'string' && isGuid(correlation) ? correlation : randomUUID(),
    ...(typeof client === 'string' && /^[\w.-]{1,64}$/.test(client) ? { 'x-ms-client-request-id': client } : {}),
  };
};

/** Codes of `/v0.1` with another name in this API. */
const names: Partial<Record<FailureCode, HealthErrorCode>> = {
  Unauthorized: 'AuthenticationFailed',
  Forbidden: 'AuthorizationFailed',
  NotFound: 'ResourceNotFound',
};

const error = ({ code, message }: Failure, requestId: string): Static<typeof HealthErrorBody> => ({
  code: names[code] ?? (code as HealthErrorCode),
  message,
  details: `Request ID: ${requestId}.`,
});

function checkVersion(supported: readonly string[]): NonNullable<ApiSurface['checkQuery']> {
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

export const healthSurface = ({ config, publicUrl }: Pick<Deps, 'config' | 'publicUrl'>): ApiSurface => ({
  name: contractSurface.name,
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
  /** Clients read from this header where to sign in. */
  errorHeaders({ code, message }): Record<string, string> {
    if (statusByCode[code] !== 401) return {};
    const where = `authorization_uri="${publicUrl()}/common/oauth2/authorize"`;
    const why = message.replace(/["\\\r\n]/g, "'").replace(/[^\x20-\x7e]/g, '?');
    return { 'www-authenticate': `Bearer ${where}, error="invalid_token", error_description="${why}"` };
  },
});
