import type { EndpointExamples } from '../endpoint/example.ts';

/** A single gray pixel, and the URL of an avatar. */
export const avatarFile = {
  type: 'image/png',
  base64: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
} as const;
export const avatarName = '7Qx2LrTn0cVbYkE5uZs8HfWj1aMdPo3G.png';
export const avatarUrl = `https://mooring.example.com/avatars/${avatarName}`;

export const avatarsExamples = {
  avatars_get: { params: { avatar_name: avatarName } },
} satisfies EndpointExamples<typeof import('./avatars.contract.ts')>;
