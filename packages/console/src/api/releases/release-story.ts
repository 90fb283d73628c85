import { type EndpointInput, type EndpointOutput, releaseStory_get } from '@mooring/contract';
import { type AppRef, appKey } from '../apps.ts';
import { call, useRead } from '../client.ts';

export type ReleaseStory = EndpointOutput<typeof releaseStory_get>;
export type StoryQuery = EndpointInput<typeof releaseStory_get>['query'];

export const useReleaseStory = (appRef: AppRef, query: StoryQuery) =>
  useRead([...appKey(appRef), 'releases', 'story', query], () => call(releaseStory_get, { params: appRef, query }));
