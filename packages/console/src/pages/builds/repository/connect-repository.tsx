import { Paper } from '@mantine/core';
import { repositoryConfigurations_createOrUpdate } from '@mooring/contract';
import { type Repository, useConnectRepository } from '../../../api/builds/builds.ts';
import { toast } from '../../../components/feedback/toasts.ts';
import { getBodyRules } from '../../../components/forms/field-rules.ts';
import { NameField, PasswordField } from '../../../components/forms/fields.tsx';
import { Form } from '../../../components/forms/form.tsx';
import { useCurrentApp } from '../../../context/permissions.ts';

const getRule = getBodyRules(repositoryConfigurations_createOrUpdate);

/** Clone URL and credentials. */
export function ConnectRepository({ repository }: { repository?: Repository }) {
  const { appRef } = useCurrentApp();
  const connecting = useConnectRepository(appRef);
  return (
    <Paper withBorder p="lg" maw={720}>
      <Form
        action={repository ? 'Save' : 'Connect repository'}
        sending={connecting}
        onSend={(fields) => {
          const username = fields.text('username');
          const password = fields.secret('password');
          connecting.mutate(
            {
              repo_url: fields.text('repo_url') ?? '',
              ...(username === undefined ? {} : { username }),
              ...(password ? { password } : {}),
            },
            { onSuccess: () => toast(repository ? 'Repository updated.' : 'Repository connected.') },
          );
        }}
      >
        <NameField
          name="repo_url"
          label="Clone URL"
          rule={getRule('repo_url')}
          description="GitHub, GitLab, Bitbucket, Gitea, Azure DevOps or any Git server. Use HTTPS with a token, or SSH (git@…) with a deploy key that this server creates."
          placeholder="https://git.example.com/ada/compass.git"
          defaultValue={repository?.repo_url}
        />
        <NameField
          name="username"
          label="User"
          rule={getRule('username')}
          description="User name for the Git host. Most hosts accept any name with a token."
          defaultValue={repository?.username}
        />
        <PasswordField
          name="password"
          label="Password or token (optional)"
          rule={getRule('password')}
          description={
            repository
              ? 'Leave empty to keep the saved one. A new URL needs a new one.'
              : 'Read access is enough. Stored encrypted and never shown again.'
          }
          autoComplete="new-password"
        />
      </Form>
    </Paper>
  );
}
