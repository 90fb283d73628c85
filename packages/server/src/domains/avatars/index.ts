export { avatarJobs } from './avatars.jobs.ts';
export { addAvatars } from './avatars.routes.ts';
export { avatarSource, discardAvatar, type ImageFile, keepAvatar, shownAvatar, storeAvatar } from './avatars.ts';
