import { defineDomain } from '../../domain.ts';
import { avatarJobs } from './avatars.jobs.ts';
import { avatarRoutes } from './avatars.routes.ts';

export {
  avatarSource,
  claimAvatar,
  discardAvatar,
  type ImageFile,
  publicAvatar,
  type StoredAvatar,
  shownAvatar,
  storeAvatar,
} from './avatars.ts';
export { imageTypes, readImage } from './images.ts';

export const avatars = defineDomain({ routes: avatarRoutes, jobs: avatarJobs });
