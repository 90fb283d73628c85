import { type EndpointSpec, scimSurface } from '@mooring/contract';
import { type Fixtures, SCIM_TOKEN } from '@mooring/contract/fixtures';

/** The token of the administrator, or of the directory where only that one works. */
export const tokenFor = ({ surface }: Pick<EndpointSpec, 'surface'>, { ada, ids }: Fixtures): string =>
  (surface === scimSurface ? ids.get(SCIM_TOKEN) : undefined) ?? ada.token;
