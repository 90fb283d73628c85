import { empty, endpoint, json } from '../endpoint/index.ts';
import { AppPath, Time } from '../fields.ts';
import { Type } from '../type.ts';

/** The first three are known to existing clients; the last is ours. */
export const trackerTypes = ['github', 'vsts', 'jira', 'gitlab'] as const;
export type TrackerType = (typeof trackerTypes)[number];
export const trackerEventTypes = ['newCrashGroupCreated'] as const;

export const TrackerKind = Type.Enum([...trackerTypes], { description: '`vsts` is Azure DevOps.' });
const EventTypes = Type.Array(Type.Enum([...trackerEventTypes]), {
  maxItems: trackerEventTypes.length,
  uniqueItems: true,
  description:
    'With `newCrashGroupCreated`, the first crash of an issue makes a ticket; without it they are made by hand.',
});
const Project = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '^[^\\p{Cc}?#%\\\\]+$',
  description:
    'Of GitHub `owner/repository`, of GitLab the path of the project, of Azure DevOps `organization/project`, of Jira its key.',
});
const BaseUrl = Type.String({
  maxLength: 500,
  description:
    'Where its interface is, if not at https://api.github.com, https://gitlab.com or https://dev.azure.com; of Jira always.',
});
const Label = Type.String({ minLength: 1, maxLength: 50, pattern: '^[\\w.:/-]+$', description: 'Put on each ticket.' });
const ItemType = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[^\\p{Cc}?#%/\\\\]+$',
  description: 'Of Jira and Azure DevOps: the kind of ticket, `Bug` if absent.',
});

export const BugTracker = Type.Object(
  {
    type: Type.Optional(TrackerKind),
    state: Type.Optional(
      Type.Enum(['enabled', 'disabled', 'unauthorized'], { description: 'Unauthorized: it refused the token.' }),
    ),
    token_id: Type.Optional(Type.String({ description: 'Of the connection; the token itself is never shown.' })),
    event_types: Type.Optional(EventTypes),
    settings: Type.Optional(
      Type.Object({
        type: TrackerKind,
        owner_name: Type.String(),
        callback_url: Type.Optional(Type.String()),
        github_repo_id: Type.Optional(Type.Integer()),
        github_repo_name: Type.Optional(Type.String()),
        github_label: Type.Optional(Type.String()),
        vsts_project_id: Type.Optional(Type.String()),
        vsts_project_uri: Type.Optional(Type.String()),
        vsts_project_name: Type.Optional(Type.String()),
        vsts_account_name: Type.Optional(Type.String()),
        jira_project_id: Type.Optional(Type.Integer()),
        jira_project_name: Type.Optional(Type.String()),
        gitlab_project_id: Type.Optional(Type.Integer()),
        gitlab_project_name: Type.Optional(Type.String()),
      }),
    ),
    base_url: Type.Optional(BaseUrl),
    project: Type.Optional(Project),
    user_name: Type.Optional(Type.String()),
    label: Type.Optional(Label),
    item_type: Type.Optional(ItemType),
    follows_state: Type.Optional(Type.Boolean({ description: 'Whether the issue closes and opens with its ticket.' })),
    closes_tickets: Type.Optional(
      Type.Boolean({ description: 'Whether the ticket closes and opens with its issue, at once.' }),
    ),
    trouble: Type.Optional(Type.String({ description: 'Why it could not be reached the last time.' })),
    checked_at: Type.Optional(Time),
    waiting_tickets: Type.Optional(Type.Integer({ description: 'How many tickets are still to be made there.' })),
  },
  { $id: 'BugTracker' },
);

const common = { tag: 'trackers', errorShape: 'traced' } as const;
const path = '/v0.1/apps/{owner_name}/{app_name}/bugtracker';
const params = Type.Object(AppPath);

export const bugtracker_getSettings = endpoint({
  ...common,
  id: 'bugtracker_getSettings',
  method: 'GET',
  path,
  access: 'app:viewer',
  effect: 'read',
  summary: 'Returns the bug tracker of an app',
  params,
  response: json(BugTracker, { description: 'The bug tracker, without its token.' }),
  errors: [404],
});

export const bugtracker_connect = endpoint({
  ...common,
  id: 'bugtracker_connect',
  method: 'PUT',
  path,
  access: 'app:developer',
  effect: 'change',
  summary: 'Connects an app with its bug tracker',
  description:
    'The token is sealed and never shown again; it can be absent as long as the address and the name stay. Whether it works is looked at soon, and told as `trouble`. With another project, tickets of the former one are no longer linked.',
  params,
  request: json(
    Type.Object({
      type: TrackerKind,
      project: Project,
      base_url: Type.Optional(BaseUrl),
      token: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 4096,
          pattern: '^[!-~]+$',
          description: 'One that may read the project and write tickets.',
        }),
      ),
      user_name: Type.Optional(
        Type.String({
          maxLength: 254,
          pattern: '^[^\\p{Cc}:]+$',
          description: 'Of Jira in the cloud: the e-mail address that the token belongs to.',
        }),
      ),
      event_types: Type.Optional(EventTypes),
      label: Type.Optional(Label),
      item_type: Type.Optional(ItemType),
      follows_state: Type.Optional(Type.Boolean({ description: 'If absent, it does.' })),
      closes_tickets: Type.Optional(Type.Boolean({ description: 'If absent, it does not.' })),
    }),
  ),
  response: json(BugTracker, { description: 'The bug tracker.' }),
  errors: [404],
});

export const bugtracker_check = endpoint({
  ...common,
  id: 'bugtracker_check',
  method: 'POST',
  path: `${path}/check`,
  access: 'app:developer',
  effect: 'change',
  summary: 'Asks the bug tracker of an app for its project, to see that the connection works',
  description: 'The states of tickets are read soon afterwards; otherwise every five minutes.',
  params,
  request: json(Type.Object({})),
  response: json(BugTracker, { description: 'The bug tracker; `trouble` says what is wrong.' }),
  errors: [404],
});

export const bugtracker_disconnect = endpoint({
  ...common,
  id: 'bugtracker_disconnect',
  method: 'DELETE',
  path,
  access: 'app:developer',
  effect: 'change',
  summary: 'Takes an app from its bug tracker; tickets stay there, but nothing here leads to them any more',
  params,
  response: empty({ description: 'It is gone.' }),
  errors: [404],
});
