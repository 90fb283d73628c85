import { endpoint, json } from '../endpoint/index.ts';
import { searchIn } from '../paging.ts';
import { Type } from '../type.ts';

/** The maximum and default number of results of each kind. */
export const MAX_FOUND = 20;
export const DEFAULT_FOUND = 6;

export const Found = Type.Object(
  {
    kind: Type.String({
      description:
        '`app`, `organization`, `person`, `release`, `issue` (crashes), `build`, `health_event`, `operation` (of this API), or another kind that this server supports.',
    }),
    id: Type.String(),
    title: Type.String({ description: 'The display name.' }),
    detail: Type.Optional(Type.String({ description: 'Distinguishes results with the same title.' })),
    image_url: Type.Optional(Type.String()),
    path: Type.Record(Type.String(), Type.String(), {
      description:
        'The URL parameters of the result, with the names of the API: owner_name and app_name of an app, with release_id, issue_id or build_id of its resources; org_name of an organization; user_name of a person, with the org_name of an organization that the caller shares with them; tracking_id of a health event; operation_id and tag of an operation.',
    }),
  },
  { $id: 'Found' },
);

export const search_find = endpoint({
  id: 'search_find',
  method: 'GET',
  path: '/v0.1/search',
  tag: 'search',
  summary: 'Search apps, people, releases, crashes, builds, health events and operations by name',
  description:
    "Finds only resources that the caller can see. People are members of the caller's organizations or, for administrators, all users. Apps are also found by ID and secret. Releases, issues and builds come newest first; only the newest 10,000 are searched. Returns a few results of each kind; use the lists for all.",
  access: 'user',
  effect: 'read',
  query: Type.Object({
    q: searchIn('the names of resources'),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_FOUND,
        default: DEFAULT_FOUND,
        description: 'The maximum number of results of each kind.',
      }),
    ),
  }),
  response: json(Type.Object({ values: Type.Array(Found) }), { description: 'The results, grouped by kind.' }),
});
