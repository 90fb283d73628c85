import { Feeds_Create, Feeds_Delete, Feeds_List, healthVersion, type OutputOf } from '@mooring/contract';
import { call, useChange, useRead } from './client.ts';

export type Feed = OutputOf<typeof Feeds_List>['value'][number];

const keyOf = (subscriptionId: string) => ['subscription', subscriptionId, 'feeds'];

export const useFeeds = (subscriptionId: string) =>
  useRead(
    keyOf(subscriptionId),
    async () => (await call(Feeds_List, { params: { subscriptionId }, query: healthVersion })).value,
  );

export const useCreateFeed = (subscriptionId: string) =>
  useChange(
    (filter: string) =>
      call(Feeds_Create, { params: { subscriptionId }, query: healthVersion, body: filter ? { filter } : {} }),
    keyOf(subscriptionId),
  );

export const useDeleteFeed = (subscriptionId: string) =>
  useChange(
    ({ id }: Feed) => call(Feeds_Delete, { params: { subscriptionId, feedId: id }, query: healthVersion }),
    keyOf(subscriptionId),
  );
