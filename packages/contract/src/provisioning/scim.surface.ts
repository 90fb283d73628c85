import type { ApiSurface } from '../endpoint/index.ts';
import { Type } from '../type.ts';

export const SCIM_TYPE = 'application/scim+json';

export const ScimErrorBody = Type.Object(
  {
    schemas: Type.Array(Type.String()),
    status: Type.String({ description: 'The status of the response, as text.' }),
    scimType: Type.Optional(
      Type.String({ description: 'A stable code for programs, such as uniqueness or invalidFilter.' }),
    ),
    detail: Type.String({ description: 'The problem and how to fix it, for people.' }),
  },
  { $id: 'ScimError', description: 'The format of errors of SCIM.' },
);

/** SCIM 2.0 (RFC 7643 and RFC 7644), for the directory of an organization. */
export const scimSurface: ApiSurface = {
  name: 'scim',
  errorBody: ScimErrorBody,
  mediaType: SCIM_TYPE,
  takesOwnToken: true,
  introduction:
    'Operations of SCIM (`/scim/v2/{org_name}/…`) accept only a SCIM token of the organization, as a bearer token. Their errors have the format `{"schemas":["…:Error"],"status":"409","scimType":"uniqueness","detail":"…"}`.',
};
