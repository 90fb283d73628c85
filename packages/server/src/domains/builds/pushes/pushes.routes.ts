import { pushes_receive, pushHooks_create, pushHooks_delete } from '@mooring/contract';
import { workOwner } from '../../../context.ts';
import { route } from '../../../http/mount.ts';
import { inflate } from '../../../kernel/files/inflate.ts';
import { createPushHook, deletePushHook, receivePush } from './pushes.ts';

export const pushRoutes = [
  route(pushHooks_create, async (ctx) => {
    const { url, secret, gitHook } = await createPushHook(ctx);
    return { url, secret, git_hook: gitHook };
  }),
  route(pushHooks_delete, deletePushHook),
  route(pushes_receive, async (ctx, { params, headers, sent }) =>
    receivePush(ctx, {
      hookId: params.hook_id,
      signatures: headers,
      body: await inflate(sent, workOwner(ctx)),
    }),
  ),
];
