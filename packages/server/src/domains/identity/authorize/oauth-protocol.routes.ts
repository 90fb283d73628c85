import { oauth_authorize, oauth_discovery, oauth_keys, oauth_token } from '@mooring/contract';
import { route } from '../../../http/mount.ts';
import { badRequest } from '../../../kernel/errors.ts';
import { listPublicKeys } from '../tokens/keys.ts';
import { authorize } from './authorize.ts';
import { discoveryDocument } from './discovery.ts';
import { exchange } from './token-requests.ts';

const queryIn = (url: string): string => (url.includes('?') ? url.slice(url.indexOf('?') + 1) : '');

/** The endpoints of OAuth 2.0 and its discovery. */
export const oauthRoutes = [
  route(oauth_authorize, async (ctx, _input, { url }) => {
    // The raw query: it passes through the pages and back unchanged.
    const outcome = await authorize(ctx, queryIn(url));
    if ('problem' in outcome) throw badRequest(outcome.problem);
    return outcome.location;
  }),
  route(oauth_token, async (ctx, { body }) => exchange(ctx, body)),
  route(oauth_keys, async (ctx) => ({ keys: await listPublicKeys(ctx) })),
  route(oauth_discovery, async (ctx) => discoveryDocument(ctx)),
];
