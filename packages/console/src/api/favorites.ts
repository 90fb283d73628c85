import {
  appFavorites_add,
  appFavorites_remove,
  type EndpointOutput,
  MAX_FAVORITE_APPS,
  MAX_SUMMARIZED_APPS,
  userApps_list,
  userApps_listSummaries,
} from '@mooring/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { APPS, type AppRef } from './apps.ts';
import { call, useChange, useRead } from './client.ts';

export type AppSummary = EndpointOutput<typeof userApps_listSummaries>['values'][number];

const FAVORITES = [...APPS, 'favorites'];

/** The user's favorite apps, by name. */
export const useFavorites = () =>
  useRead(
    FAVORITES,
    async () => (await call(userApps_list, { query: { favorite: true, limit: MAX_FAVORITE_APPS } })).values,
  );

export const useSetFavorite = () =>
  useChange(
    ({ params, isFavorite }: { params: AppRef; isFavorite: boolean }) =>
      isFavorite ? call(appFavorites_add, { params, body: {} }) : call(appFavorites_remove, { params }),
    FAVORITES,
  );

/** Figures of the apps in view, which appear after the list. */
export const useSummaries = (ids: string[]) =>
  useQuery({
    queryKey: [...APPS, 'summaries', ids],
    queryFn: async () => {
      const chunks = Array.from({ length: Math.ceil(ids.length / MAX_SUMMARIZED_APPS) }, (_, at) =>
        ids.slice(at * MAX_SUMMARIZED_APPS, (at + 1) * MAX_SUMMARIZED_APPS),
      );
      const answers = await Promise.all(
        chunks.map((some) => call(userApps_listSummaries, { query: { ids: some.join(',') } })),
      );
      return new Map(answers.flatMap(({ values }) => values).map((one): [string, AppSummary] => [one.id, one]));
    },
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
