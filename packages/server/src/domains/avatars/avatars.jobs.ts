import { handleJob } from '../../jobs/index.ts';
import { avatarDiscard, deleteAvatarBlob } from './avatars.ts';

export const avatarJobs = [handleJob(avatarDiscard, (ctx, { key }) => deleteAvatarBlob(ctx, key))];
