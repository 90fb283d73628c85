import { endpoint, json } from '../endpoint/index.ts';
import { searchIn } from '../paging.ts';
import { Type } from '../type.ts';

/** The most of each kind that one search finds, and how many if nobody says. */
export const MAX_FOUND = 20;
export const DEFAULT_FOUND = 6;

export const Found = Type.Object(
  {
    kind: Type.String({
      description:
        '`app`, `organization`, `person`, `release`, `issue` of crashes, `build`, `health_event`, `operation` of this API, and what other parts of the server find.',
    }),
    id: Type.String(),
    title: Type.String({ description: 'What people call it.' }),
    detail: Type.Optional(Type.String({ description: 'What tells it apart from others of that title.' })),
    image_url: Type.Optional(Type.String()),
    path: Type.Record(Type.String(), Type.String(), {
      description:
        'The parts of its address, by the names that paths of the API have for them: owner_name and app_name of an app, with the release_id, issue_id or build_id of what is in it, org_name of an organization, user_name of a person, with the org_name of an organization in which the caller can see them, tracking_id of a health event, operation_id and tag of an operation.',
    }),
  },
  { $id: 'Found' },
);

export const search_find = endpoint({
  id: 'search_find',
  method: 'GET',
  path: '/v0.1/search',
  tag: 'search',
  summary:
    'Finds what the caller can see, by its names: apps, people, releases, crashes, builds, health events, operations',
  description:
    'People are those of one’s organizations; for administrators, all. An app is also found by its id or its secret. Releases, issues and builds are those of apps that the caller may look into, the newest first; of very many, the 10,000 newest are looked at. A few of each kind are found, and lists find the rest.',
  access: 'user',
  effect: 'read',
  query: Type.Object({
    q: searchIn('the names of what is found'),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_FOUND,
        default: DEFAULT_FOUND,
        description: 'How many of each kind at most.',
      }),
    ),
  }),
  response: json(Type.Object({ values: Type.Array(Found) }), { description: 'What was found, kind by kind.' }),
});
