import { defineDomain } from '../../domain.ts';
import { avatarJobs } from './avatars.jobs.ts';
import { addAvatars } from './avatars.routes.ts';

export { avatarSource, discardAvatar, type ImageFile, keepAvatar, shownAvatar, storeAvatar } from './avatars.ts';

export const avatars = defineDomain({ name: 'avatars', jobs: avatarJobs, unlisted: addAvatars });
