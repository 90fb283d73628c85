import { avatars_get } from '@mooring/contract';
import { route } from '../../http/mount.ts';
import { notFound } from '../../kernel/errors.ts';
import { avatarAt } from './avatars.ts';

export const avatarRoutes = [
  route(avatars_get, async (_ctx, { params }) => {
    const avatar = avatarAt(params.avatar_name);
    if (!avatar) throw notFound('avatar');
    // The image at an address never changes.
    return { ...avatar, etag: `"${params.avatar_name}"`, what: 'avatar' };
  }),
];
