import { scimSurface as contractSurface, SCIM_TYPE, type ScimErrorBody } from '@mooring/contract';
import type { Static } from 'typebox';
import type { ApiSurface } from '../../http/api-surfaces.ts';
import { Failure, statusByCode } from '../../kernel/errors.ts';

const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** Error codes of RFC 7644, by codes of this server. */
const getScimType = ({ code, protocolCode }: Failure): string | undefined => {
  if (protocolCode !== undefined) return protocolCode;
  if (code === 'Conflict') return 'uniqueness';
  return code === 'BadRequest' ? 'invalidSyntax' : undefined;
};

const error = (failure: Failure): Static<typeof ScimErrorBody> => {
  const scimType = getScimType(failure);
  const status = String(statusByCode[failure.code]);
  return { schemas: [ERROR_SCHEMA], status, ...(scimType ? { scimType } : {}), detail: failure.message };
};

export const scimSurface: ApiSurface = {
  name: contractSurface.name,
  credentials: ['directory'],
  owns: (url) => /^\/scim(?=[/?]|$)/.test(url),
  // A directory sends all its users in one go.
  countsStrangers: true,
  unauthenticated: () =>
    new Failure(
      'Unauthorized',
      'Missing or invalid SCIM token. Create one in the settings of the organization, and send it as a bearer token.',
      { 'www-authenticate': 'Bearer realm="Mooring"' },
    ),
  error,
  errorHeaders: () => ({ 'content-type': `${SCIM_TYPE}; charset=utf-8` }),
};
