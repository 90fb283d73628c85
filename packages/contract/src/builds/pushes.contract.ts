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
  summary: 'Makes the address and the secret with which a git host tells of pushes',
  description: 'Ours. The secret is shown this once; one that was there before no longer counts.',
  request: json(Type.Object({})),
  response: json(
    Type.Object({
      url: Type.String({ description: 'For the webhook of the host: GitHub, GitLab, Bitbucket, Gitea, Azure DevOps.' }),
      secret: Type.String({
        description: 'What the host signs with, or sends as its token or as the password of HTTP Basic.',
      }),
      git_hook: Type.String({ description: 'The line of a `post-receive` hook, for any other git server.' }),
    }),
    { status: 201, description: 'The address and its secret.' },
  ),
});

export const pushHooks_delete = endpoint({
  ...ofApp,
  id: 'pushHooks_delete',
  method: 'DELETE',
  summary: 'Ends the address with which a git host tells of pushes',
  response: empty({ description: 'It is no longer listened to.' }),
});

/** The largest that hosts send is a push of thousands of commits. */
const LARGEST_PUSH = 5 * 1_048_576;

const signature = (description: string) => Type.Optional(Type.String({ maxLength: 500, description }));

export const pushes_receive = endpoint({
  ...common,
  id: 'pushes_receive',
  method: 'POST',
  path: '/v0.1/public/pushes/{hook_id}',
  summary: 'A git host tells that something was pushed, and branches that are built on each push are built',
  description:
    'Ours. Signed with the secret of the hook by one of the ways that hosts know, or with the secret itself. The body is what the host sends, or, as text, what git gives to a `post-receive` hook. A commit that was built for a push of its branch is not built again, nor one that says `[skip ci]` or `[ci skip]`.',
  access: 'public',
  effect: 'ingest',
  params: Type.Object({ hook_id: Type.String({ minLength: 1, maxLength: 100 }) }),
  headers: Type.Object({
    'x-mooring-token': signature('The secret, as the line for git sends it.'),
    'x-hub-signature-256': signature('Of GitHub: `sha256=` and an HMAC of the body.'),
    'x-hub-signature': signature('Of Bitbucket, the same.'),
    'x-gitea-signature': signature('Of Gitea and Forgejo: an HMAC-SHA-256 of the body in hexadecimal.'),
    'x-gitlab-token': signature('Of GitLab: the secret.'),
    authorization: signature('Of Azure DevOps: HTTP Basic, with the secret as password.'),
  }),
  request: bytes({
    types: ['text/plain', 'application/json', 'application/x-www-form-urlencoded'],
    maxBytes: LARGEST_PUSH,
    maxInflated: LARGEST_PUSH,
  }),
  response: json(
    Type.Object({
      builds: Type.Array(Type.Object({ id: Type.Integer(), branch: Type.String() })),
      skipped: Type.Array(Type.Object({ branch: Type.String(), reason: Type.String() })),
      waiting: Type.Array(Type.Object({ branch: Type.String() }), {
        description: 'The queue is full: these are queued as soon as there is room.',
      }),
    }),
    { description: 'What is built of it, and what not.' },
  ),
  errors: [400, 401, 503],
});
