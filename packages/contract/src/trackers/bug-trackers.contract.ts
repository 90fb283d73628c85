import { empty, endpoint, json } from '../endpoint/index.ts';
import { AppPath, Time } from '../fields.ts';
import { Type } from '../type.ts';

/** The first three are in App Center's API; Mooring added the last. */
export const trackerTypes = ['github', 'vsts', 'jira', 'gitlab'] as const;
export type TrackerType = (typeof trackerTypes)[number];
export const trackerEventTypes = ['newCrashGroupCreated'] as const;

export const TrackerKind = Type.Enum([...trackerTypes], { description: '`vsts` is Azure DevOps.' });
const EventTypes = Type.Array(Type.Enum([...trackerEventTypes]), {
  maxItems: trackerEventTypes.length,
  uniqueItems: true,
  description:
    'With `newCrashGroupCreated`, the first crash of an issue creates a ticket. Without it, users create tickets.',
});
const Project = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '^[^\\p{Cc}?#%\\\\]+$',
  description:
    'GitHub: `owner/repository`. GitLab: the path of the project. Azure DevOps: `organization/project`. Jira: the key of the project.',
});
const BaseUrl = Type.String({
  maxLength: 500,
  description:
    'The URL of the server. Required for Jira; the defaults of others are https://api.github.com, https://gitlab.com and https://dev.azure.com.',
});
const Label = Type.String({
  minLength: 1,
  maxLength: 50,
  pattern: '^[\\w.:/-]+$',
  description: 'Labels for each ticket.',
});
const ItemType = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[^\\p{Cc}?#%/\\\\]+$',
  description: 'The ticket type in Jira and Azure DevOps (default: `Bug`).',
});

export const BugTracker = Type.Object(
  {
    type: Type.Optional(TrackerKind),
    state: Type.Optional(
      Type.Enum(['enabled', 'disabled', 'unauthorized'], {
        description: '`unauthorized`: the bug tracker rejected the token.',
      }),
    ),
    token_id: Type.Optional(Type.String({ description: 'The ID of the connection. The token itself is never shown.' })),
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
    follows_state: Type.Optional(
      Type.Boolean({ description: 'Close and reopen issues when their ticket is closed or reopened.' }),
    ),
    closes_tickets: Type.Optional(
      Type.Boolean({ description: 'Close and reopen tickets immediately when their issue is closed or reopened.' }),
    ),
    trouble: Type.Optional(Type.String({ description: 'Why the last request failed.' })),
    checked_at: Type.Optional(Time),
    waiting_tickets: Type.Optional(
      Type.Integer({ description: 'The number of tickets that are still to be created.' }),
    ),
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
  summary: 'Get the bug tracker of an app',
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
  summary: 'Connect a bug tracker to an app',
  description:
    'The token is stored encrypted and never shown again. Omit it if URL and project stay the same. The server tests the connection in the background and reports errors in `trouble`. If the project changes, existing tickets are unlinked.',
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
          description: 'A token that may read the project and create tickets.',
        }),
      ),
      user_name: Type.Optional(
        Type.String({
          maxLength: 254,
          pattern: '^[^\\p{Cc}:]+$',
          description: 'For Jira Cloud: the email address that the token belongs to.',
        }),
      ),
      event_types: Type.Optional(EventTypes),
      label: Type.Optional(Label),
      item_type: Type.Optional(ItemType),
      follows_state: Type.Optional(Type.Boolean({ description: 'Default: true.' })),
      closes_tickets: Type.Optional(Type.Boolean({ description: 'Default: false.' })),
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
  summary: 'Test the connection to the bug tracker of an app',
  description: 'Also reads the states of tickets soon afterwards, which otherwise happens every five minutes.',
  params,
  request: json(Type.Object({})),
  response: json(BugTracker, { description: 'The bug tracker. `trouble` has the error, if any.' }),
  errors: [404],
});

export const bugtracker_disconnect = endpoint({
  ...common,
  id: 'bugtracker_disconnect',
  method: 'DELETE',
  path,
  access: 'app:developer',
  effect: 'change',
  summary: 'Disconnect the bug tracker of an app; its tickets stay there, but are unlinked',
  params,
  response: empty({ description: 'Deleted.' }),
  errors: [404],
});
