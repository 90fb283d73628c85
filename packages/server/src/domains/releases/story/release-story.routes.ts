import { releaseStory_get } from '@mooring/contract';
import { route } from '../../../http/mount.ts';
import { describeReleaseStory } from './release-story.ts';

export const releaseStoryRoutes = [route(releaseStory_get, (ctx, { query }) => describeReleaseStory(ctx, query))];
