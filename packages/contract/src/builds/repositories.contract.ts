import { endpoint, json } from '../endpoint/index.ts';
import { AppPath, Time } from '../fields.ts';
import { Type } from '../type.ts';

export const sourceHosts = ['github', 'bitbucket', 'vsts', 'gitlab'] as const;

const common = { tag: 'builds', errorShape: 'identified', errors: [400, 403, 404] } as const;
const reading = { ...common, method: 'GET', effect: 'read', access: 'app:viewer' } as const;
const changing = { ...common, effect: 'change', access: 'app:developer' } as const;
const path = '/v0.1/apps/{owner_name}/{app_name}/repo_config';
const params = Type.Object(AppPath);
const kept = {
  repo_id: Type.Optional(Type.String({ maxLength: 200 })),
  external_user_id: Type.Optional(Type.String({ maxLength: 200 })),
  service_connection_id: Type.Optional(Type.String({ maxLength: 200 })),
  installation_id: Type.Optional(Type.String({ maxLength: 200 })),
};
const told = json(Type.Object({ message: Type.String() }), { description: 'It is done.' });

export const repositoryConfigurations_list = endpoint({
  ...reading,
  id: 'repositoryConfigurations_list',
  path,
  summary: 'Returns the repository of an app',
  params,
  query: Type.Object({ includeInactive: Type.Optional(Type.Boolean()) }),
  response: json(
    Type.Array(
      Type.Object({
        repo_url: Type.String(),
        ...kept,
        id: Type.String(),
        type: Type.String({ description: 'github, gitlab, bitbucket, vsts, or git for any other server.' }),
        state: Type.Enum(['unauthorized', 'inactive', 'active']),
        user_email: Type.Optional(Type.String()),
        username: Type.Optional(Type.String({ description: 'Ours: whom it is read as; the password is never shown.' })),
        trouble: Type.Optional(Type.String({ description: 'Ours: why it could not be read the last time.' })),
        deploy_key: Type.Optional(
          Type.String({ description: 'Ours: of a repository by ssh the public key, which its host has to let read.' }),
        ),
        push_url: Type.Optional(
          Type.String({ description: 'Ours: where its host tells of pushes; the secret of it is not shown again.' }),
        ),
        pushed_at: Type.Optional(Time),
      }),
    ),
    { description: 'None, or one.' },
  ),
});

export const repositoryConfigurations_createOrUpdate = endpoint({
  ...changing,
  id: 'repositoryConfigurations_createOrUpdate',
  method: 'POST',
  path,
  summary: 'Connects an app with its git repository',
  description:
    'By https or http, or by ssh with a key that is made here: its public part is shown where the repository is. A name and a password or token go into their own fields, or into the address, from which they are taken out; they are sealed and never shown.',
  params,
  request: json(
    Type.Object({
      repo_url: Type.String({ minLength: 1, maxLength: 2048 }),
      ...kept,
      check: Type.Optional(
        Type.Boolean({
          description:
            'Ours: read the repository first, and refuse it with the reason if it cannot be read. By ssh there is no check, as the host does not know the deploy key yet.',
        }),
      ),
      username: Type.Optional(Type.String({ maxLength: 256, pattern: '^[^\\p{Cc}:]*$', description: 'Ours.' })),
      password: Type.Optional(
        Type.String({
          maxLength: 4096,
          pattern: '^[^\\p{Cc}]*$',
          description: 'Ours: or a token, as most hosts want it.',
        }),
      ),
    }),
  ),
  response: told,
});

export const repositoryConfigurations_delete = endpoint({
  ...changing,
  id: 'repositoryConfigurations_delete',
  method: 'DELETE',
  path,
  summary: 'Takes an app from its repository: all configurations, builds and their files go, too',
  params,
  response: told,
});

export const repositories_list = endpoint({
  ...reading,
  id: 'repositories_list',
  path: '/v0.1/apps/{owner_name}/{app_name}/source_hosts/{source_host}/repositories',
  summary: 'Lists the repositories that the credentials of an app reach at a host',
  description: 'None if the repository of the app is on another host, or is read without credentials.',
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
    { description: 'The first hundred.' },
  ),
  errors: [400, 403, 404, 503],
});
