import { bytes, empty, endpoint, json } from '../endpoint/index.ts';
import { AppPath } from '../fields.ts';
import { Type } from '../type.ts';

const common = { tag: 'builds', errorShape: 'identified' } as const;
const ofApp = {
  ...common,
  path: '/v0.1/apps/{owner_name}/{app_name}/repo_config/push_hook',
  access: 'app:developer',
  effect: 'change',
  params: Type.Object(AppPath),
  errors: [400, 403, 404],
} as const;

export const pushHooks_create = endpoint({
  ...ofApp,
  id: 'pushHooks_create',
  method: 'POST',
  summary: 'Create the URL and the secret of the push webhook of an app',
  description: 'Mooring only. The secret is shown once. A previous URL and its secret stop working.',
  request: json(Type.Object({})),
  response: json(
    Type.Object({
      url: Type.String({
        description: 'Enter this URL as a webhook of your Git host: GitHub, GitLab, Bitbucket, Gitea or Azure DevOps.',
      }),
      secret: Type.String({
        description: 'The webhook secret: a signing secret, a token, or the password for HTTP Basic.',
      }),
      git_hook: Type.String({ description: 'A command for the `post-receive` hook of any other Git server.' }),
    }),
    { status: 201, description: 'The URL and its secret.' },
  ),
});

export const pushHooks_delete = endpoint({
  ...ofApp,
  id: 'pushHooks_delete',
  method: 'DELETE',
  summary: 'Delete the push webhook of an app',
  response: empty({ description: 'Pushes to the URL are rejected.' }),
});

/** Large enough for pushes with thousands of commits. */
const MAX_PUSH_BYTES = 5 * 1_048_576;

const signature = (description: string) => Type.Optional(Type.String({ maxLength: 500, description }));

export const pushes_receive = endpoint({
  ...common,
  id: 'pushes_receive',
  method: 'POST',
  path: '/v0.1/public/pushes/{hook_id}',
  summary: 'Receive a push from a Git host, and build the branches that are set to build on push',
  description:
    'Mooring only. The request is signed with the secret of the webhook in the way of its host, or contains the secret. The body is the webhook payload of the host or, as text, the input of a `post-receive` hook. Skips commits that a previous push of the branch built, and commits with `[skip ci]` or `[ci skip]` in their message.',
  access: 'public',
  effect: 'ingest',
  params: Type.Object({ hook_id: Type.String({ minLength: 1, maxLength: 100 }) }),
  headers: Type.Object({
    'x-mooring-token': signature('The secret, as `git_hook` sends it.'),
    'x-hub-signature-256': signature('GitHub: `sha256=` and an HMAC of the body.'),
    'x-hub-signature': signature('Bitbucket: `sha256=` and an HMAC of the body.'),
    'x-gitea-signature': signature('Gitea and Forgejo: an HMAC-SHA-256 of the body in hexadecimal.'),
    'x-gitlab-token': signature('GitLab: the secret.'),
    authorization: signature('Azure DevOps: HTTP Basic, with the secret as password.'),
  }),
  request: bytes({
    types: ['text/plain', 'application/json', 'application/x-www-form-urlencoded'],
    maxBytes: MAX_PUSH_BYTES,
    maxInflated: MAX_PUSH_BYTES,
  }),
  response: json(
    Type.Object({
      builds: Type.Array(Type.Object({ id: Type.Integer(), branch: Type.String() })),
      skipped: Type.Array(Type.Object({ branch: Type.String(), reason: Type.String() })),
      waiting: Type.Array(Type.Object({ branch: Type.String() }), {
        description: 'Branches that are queued later, because the queue is full.',
      }),
    }),
    { description: 'The branches that are built, and those that are not.' },
  ),
  errors: [400, 401, 503],
});
