import { avatarFile } from '../avatars/avatars.examples.ts';

/** One grey point: the smallest PNG. */
export const pictureBytes = Uint8Array.from(atob(avatarFile.base64), (sign) => sign.charCodeAt(0));

export const picture = new File([pictureBytes], 'a.png', { type: avatarFile.type });
