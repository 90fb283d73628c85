import { endpoint, json } from '../endpoint/index.ts';
import { AppPath, Time } from '../fields.ts';
import { Type } from '../type.ts';

export const sourceHosts = ['github', 'bitbucket', 'vsts', 'gitlab'] as const;

const common = { tag: 'builds', errorShape: 'identified', errors: [400, 403, 404] } as const;
const reading = { ...common, method: 'GET', effect: 'read', access: 'app:viewer' } as const;
const changing = { ...common, effect: 'change', access: 'app:developer' } as const;
const path = '/v0.1/apps/{owner_name}/{app_name}/repo_config';
const params = Type.Object(AppPath);
const connectionFields = {
  repo_id: Type.Optional(Type.String({ maxLength: 200 })),
  external_user_id: Type.Optional(Type.String({ maxLength: 200, description: 'Stored for existing clients.' })),
  service_connection_id: Type.Optional(Type.String({ maxLength: 200 })),
  installation_id: Type.Optional(Type.String({ maxLength: 200, description: 'Stored for existing clients.' })),
};
const done = json(Type.Object({ message: Type.String() }), { description: 'A confirmation.' });

export const repositoryConfigurations_list = endpoint({
  ...reading,
  id: 'repositoryConfigurations_list',
  path,
  summary: 'Get the repository of an app',
  params,
  query: Type.Object({ includeInactive: Type.Optional(Type.Boolean()) }),
  response: json(
    Type.Array(
      Type.Object({
        repo_url: Type.String(),
        ...connectionFields,
        id: Type.String(),
        type: Type.String({ description: 'github, gitlab, bitbucket, vsts, or git for any other server.' }),
        state: Type.Enum(['unauthorized', 'inactive', 'active']),
        user_email: Type.Optional(Type.String()),
        username: Type.Optional(
          Type.String({
            description: 'Mooring only: the user name that reads the repository. The password is never shown.',
          }),
        ),
        trouble: Type.Optional(
          Type.String({ description: 'Mooring only: why the last attempt to read the repository failed.' }),
        ),
        deploy_key: Type.Optional(
          Type.String({
            description: 'Mooring only: the public key of an SSH repository. Add it as a deploy key at the Git host.',
          }),
        ),
        push_url: Type.Optional(
          Type.String({ description: 'Mooring only: the URL of the push webhook. Its secret is not shown again.' }),
        ),
        pushed_at: Type.Optional(Time),
      }),
    ),
    { description: 'The repository, or an empty list.' },
  ),
});

export const repositoryConfigurations_createOrUpdate = endpoint({
  ...changing,
  id: 'repositoryConfigurations_createOrUpdate',
  method: 'POST',
  path,
  summary: 'Connect a Git repository to an app',
  description:
    'Supports https, http and ssh URLs. For ssh, the server creates a key; get the repository to see the public part. Put a user name and a password or token into their fields or into the URL; the server removes them from the URL, encrypts them, and never shows them.',
  params,
  request: json(
    Type.Object({
      repo_url: Type.String({ minLength: 1, maxLength: 2048 }),
      ...connectionFields,
      check: Type.Optional(
        Type.Boolean({
          description:
            'Mooring only: read the repository first, and fail with the reason if that is not possible. Not available for ssh, because the Git host does not know the deploy key yet.',
        }),
      ),
      username: Type.Optional(Type.String({ maxLength: 256, pattern: '^[^\\p{Cc}:]*$', description: 'Mooring only.' })),
      password: Type.Optional(
        Type.String({
          maxLength: 4096,
          pattern: '^[^\\p{Cc}]*$',
          description: 'Mooring only: a password, or a token, as most hosts require.',
        }),
      ),
    }),
  ),
  response: done,
});

export const repositoryConfigurations_delete = endpoint({
  ...changing,
  id: 'repositoryConfigurations_delete',
  method: 'DELETE',
  path,
  summary: 'Disconnect the repository of an app; deletes its build configurations, builds and their files',
  params,
  response: done,
});

export const repositories_list = endpoint({
  ...reading,
  id: 'repositories_list',
  path: '/v0.1/apps/{owner_name}/{app_name}/source_hosts/{source_host}/repositories',
  summary: 'List the repositories at a host that the credentials of an app can access',
  description: 'Empty if the repository of the app is on another host, or is read without credentials.',
  access: 'app:developer',
  params: Type.Object({ ...AppPath, source_host: Type.Enum([...sourceHosts]) }),
  query: Type.Object({
    vstsAccountName: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9-]{1,64}$' })),
    vstsProjectId: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9-]{1,64}$' })),
    service_connection_id: Type.Optional(Type.String({ maxLength: 200 })),
    form: Type.Optional(Type.Enum(['lite', 'full'])),
  }),
  response: json(
    Type.Array(Type.Object({ name: Type.Optional(Type.String()), clone_url: Type.Optional(Type.String()) })),
    { description: 'The first 100 repositories.' },
  ),
  errors: [400, 403, 404, 503],
});
