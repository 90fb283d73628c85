import { Paper } from '@mantine/core';
import { repositoryConfigurations_createOrUpdate } from '@mooring/contract';
import { type Repository, useConnectRepository } from '../../api/builds.ts';
import { fieldsOf } from '../../parts/field-rules.ts';
import { NameField, PasswordField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { useAppHere } from '../../parts/may.ts';
import { toast } from '../../parts/toasts.ts';

const ruleOf = fieldsOf(repositoryConfigurations_createOrUpdate);

/** Where the sources are, and with what they are read. */
export function ConnectRepository({ repository }: { repository?: Repository }) {
  const { appRef } = useAppHere();
  const connecting = useConnectRepository(appRef);
  return (
    <Paper withBorder p="lg" maw={720}>
      <Form
        action={repository ? 'Save' : 'Connect'}
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
            { onSuccess: () => toast(repository ? 'The repository was changed.' : 'The repository is connected.') },
          );
        }}
      >
        <NameField
          name="repo_url"
          label="Address"
          rule={ruleOf('repo_url')}
          description="As you would clone it: of GitHub, GitLab, Bitbucket, Gitea, Azure DevOps or any git server. By https with a token, or by ssh (git@…) with a key that is made here."
          placeholder="https://git.example.com/ada/compass.git"
          defaultValue={repository?.repo_url}
        />
        <NameField
          name="username"
          label="User"
          rule={ruleOf('username')}
          description="As whom it is read; most hosts take any name with a token."
          defaultValue={repository?.username}
        />
        <PasswordField
          name="password"
          label="Password or token (optional)"
          rule={ruleOf('password')}
          description={
            repository
              ? 'Left empty, the one that is there stays, as long as the address does.'
              : 'One that may only read is enough. It is sealed and never shown again.'
          }
          autoComplete="new-password"
        />
      </Form>
    </Paper>
  );
}
