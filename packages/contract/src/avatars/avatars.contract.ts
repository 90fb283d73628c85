import { endpoint, file } from '../endpoint/index.ts';
import { avatarUpload } from '../fields.ts';
import { Type } from '../type.ts';

export const avatars_get = endpoint({
  id: 'avatars_get',
  method: 'GET',
  path: '/avatars/{avatar_name}',
  tag: 'avatars',
  summary: 'Get an uploaded avatar',
  description: 'Public, because email programs and other websites send no token. The image of a URL never changes.',
  access: 'public',
  effect: 'read',
  params: Type.Object({ avatar_name: Type.String() }),
  response: file({
    description: 'The image.',
    types: avatarUpload.types,
    cache: 'public, max-age=31536000, immutable',
    isEmbeddable: true,
  }),
  errors: [404],
});
