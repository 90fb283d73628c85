import { empty, endpoint, json } from '../endpoint/index.ts';
import { AppPath, Uuid } from '../fields.ts';
import { Type } from '../type.ts';
import { SummaryFields } from './app-summaries.contract.ts';

/** The maximum number of favorite apps of a user. */
export const MAX_FAVORITE_APPS = 100;
/** The maximum number of apps of a request for summaries. */
export const MAX_SUMMARIZED_APPS = 30;

const favorite = {
  path: '/v0.1/apps/{owner_name}/{app_name}/favorite',
  tag: 'apps',
  access: 'app:tester',
  only: 'person',
  effect: 'change',
  params: Type.Object(AppPath),
} as const;

/** Not in the API of App Center. */
export const appFavorites_add = endpoint({
  ...favorite,
  id: 'appFavorites_add',
  method: 'PUT',
  request: json(Type.Object({})),
  summary: 'Mark an app as a favorite of the caller',
  description: `At most ${MAX_FAVORITE_APPS} apps.`,
  response: empty({ status: 204, description: 'The app is a favorite.' }),
  errors: [404, 409],
});

export const appFavorites_remove = endpoint({
  ...favorite,
  id: 'appFavorites_remove',
  method: 'DELETE',
  summary: 'Remove an app from the favorites of the caller',
  response: empty({ status: 204, description: 'The app is no favorite.' }),
  errors: [404],
});

export const userApps_listSummaries = endpoint({
  id: 'userApps_listSummaries',
  method: 'GET',
  path: '/v0.1/user/app_summaries',
  tag: 'apps',
  summary: 'Get summaries of some apps of the caller: latest release, open crashes, active and crash-free devices',
  access: 'user',
  effect: 'read',
  query: Type.Object({
    ids: Type.String({
      minLength: 36,
      maxLength: MAX_SUMMARIZED_APPS * 37,
      pattern: '^[0-9a-f-]{36}(,[0-9a-f-]{36})*$',
      description: `IDs of at most ${MAX_SUMMARIZED_APPS} apps, comma-separated.`,
    }),
  }),
  response: json(
    Type.Object({ values: Type.Array(Type.Object({ id: Uuid, ...SummaryFields.properties }, { $id: 'AppSummary' })) }),
    { description: 'The summaries of those apps that the caller may view, in any order.' },
  ),
});
