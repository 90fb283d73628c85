import {
  adminSignInLinks_create,
  adminSignInLinks_delete,
  adminSignInLinks_list,
  oidc_backChannelLogout,
  oidc_callback,
  oidc_start,
  signInLinks_create,
  signInLinks_get,
  signOut_create,
} from '@mooring/contract';
import type { Deps } from '../../../context.ts';
import { type Route, route } from '../../../http/mount.ts';
import { toIso } from '../../../kernel/clock.ts';
import { userToWire } from '../../accounts/index.ts';
import { linkInAdvance, listUserLinks, type SignInLink, unlinkAccount } from '../links.ts';
import { endByProvider } from '../sign-out/back-channel.ts';
import { signOut } from '../sign-out/sign-out.ts';
import { createDirectory } from './directory.ts';
import { completeLink, completeSignIn, findPendingLink, startSignIn } from './oidc.ts';

const toWire = ({ issuer, subject, linkedAt }: SignInLink) => ({ issuer, subject, linked_at: toIso(linkedAt) });

const readQuery = (url: string): URLSearchParams => new URLSearchParams(url.split('?')[1] ?? '');

export const oidcRoutes = (deps: Deps): Route[] => {
  const directory = createDirectory(deps);
  return [
    route(oidc_start, (ctx, { params, query }, reply) =>
      startSignIn(
        ctx,
        directory,
        { name: params.provider, next: query.next, isAgain: query.again !== undefined },
        reply,
      ),
    ),
    route(oidc_callback, (ctx, { params }, reply) =>
      completeSignIn(ctx, directory, { name: params.provider, query: readQuery(reply.url) }, reply),
    ),
    route(oidc_backChannelLogout, (ctx, { params, body }) =>
      endByProvider(ctx, directory, params.provider, body.logout_token),
    ),
    route(signOut_create, async (ctx, _input, reply) => {
      const location = await signOut(ctx, directory);
      reply.clearSession();
      return { location };
    }),
    route(signInLinks_get, async (ctx, _input, reply) => {
      const pending = await findPendingLink(ctx, reply);
      if (!pending) return undefined;
      const { provider, email } = pending;
      return { provider: provider.name, display_name: provider.displayName, email };
    }),
    route(signInLinks_create, async (ctx, { body }, reply) => {
      const { user, next } = await completeLink(ctx, body, reply);
      return { user: userToWire(user), next };
    }),
    route(adminSignInLinks_list, async (ctx, { params }) => (await listUserLinks(ctx, params.user_id)).map(toWire)),
    route(adminSignInLinks_create, async (ctx, { params, body }) =>
      toWire(await linkInAdvance(ctx, params.user_id, body)),
    ),
    route(adminSignInLinks_delete, (ctx, { params }) => unlinkAccount(ctx, params.user_id)),
  ];
};
