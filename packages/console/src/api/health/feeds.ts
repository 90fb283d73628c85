import {
  type EndpointOutput,
  HealthFeeds_Create,
  HealthFeeds_Delete,
  HealthFeeds_List,
  healthVersion,
} from '@mooring/contract';
import { call, useChange, useRead } from '../client.ts';

export type Feed = EndpointOutput<typeof HealthFeeds_List>['value'][number];

const feedsKey = (subscriptionId: string) => ['subscription', subscriptionId, 'feeds'];

export const useFeeds = (subscriptionId: string) =>
  useRead(
    feedsKey(subscriptionId),
    async () => (await call(HealthFeeds_List, { params: { subscriptionId }, query: healthVersion })).value,
  );

export const useCreateFeed = (subscriptionId: string) =>
  useChange(
    (filter: string) =>
      call(HealthFeeds_Create, { params: { subscriptionId }, query: healthVersion, body: filter ? { filter } : {} }),
    feedsKey(subscriptionId),
  );

export const useDeleteFeed = (subscriptionId: string) =>
  useChange(
    ({ id }: Feed) => call(HealthFeeds_Delete, { params: { subscriptionId, feedId: id }, query: healthVersion }),
    feedsKey(subscriptionId),
  );
