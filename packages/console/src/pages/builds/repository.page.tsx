import { Alert, Button, Text } from '@mantine/core';
import { repositoryConfigurations_createOrUpdate, repositoryConfigurations_delete } from '@mooring/contract';
import { IconGitBranch } from '@tabler/icons-react';
import { type Repository, useDisconnectRepository, useRepository } from '../../api/builds.ts';
import { Copyable } from '../../parts/copyable.tsx';
import { DescriptionList } from '../../parts/description-list.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Page, Part } from '../../parts/page.tsx';
import { useQuestion } from '../../parts/question.tsx';
import { ConnectRepository } from './connect-repository.tsx';
import { PushHook } from './push-hook.tsx';

const hostWords: Record<string, string> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  bitbucket: 'Bitbucket',
  vsts: 'Azure DevOps',
  git: 'A git server',
};

export default function RepositoryPage() {
  const { appRef, may } = useAppHere();
  const reading = useRepository(appRef);
  const repository = reading.data?.repository;
  const question = useQuestion<Repository>({
    title: () => 'Disconnect the repository?',
    action: 'Disconnect',
    loss: ({ repo_url }) =>
      `All configurations of branches, all builds and their files are deleted. ${repo_url} itself is left as it is. This cannot be undone.`,
    doing: useDisconnectRepository(appRef),
  });
  return (
    <Page
      title="Repository"
      lead="Where the sources of this app are."
      actions={
        repository &&
        may(repositoryConfigurations_delete) && (
          <Button variant="default" onClick={() => question.ask(repository)}>
            Disconnect
          </Button>
        )
      }
    >
      <Loaded reading={reading}>
        {() => (
          <>
            {repository ? (
              <Found repository={repository} />
            ) : (
              !may(repositoryConfigurations_createOrUpdate) && (
                <Empty icon={<IconGitBranch size={32} aria-hidden />}>
                  The app has no repository yet. A developer of the app can connect one.
                </Empty>
              )
            )}
            {may(repositoryConfigurations_createOrUpdate) && (
              <Part title={repository ? 'Change it' : 'Connect a repository'}>
                <ConnectRepository key={repository?.repo_url} {...(repository ? { repository } : {})} />
              </Part>
            )}
          </>
        )}
      </Loaded>
      {question.dialog}
    </Page>
  );
}

const Found = ({ repository }: { repository: Repository }) => (
  <>
    {repository.trouble && (
      <Alert color="red" title="It could not be read the last time">
        {repository.trouble}
      </Alert>
    )}
    <DescriptionList
      items={[
        ['Address', <Copyable key="url" value={repository.repo_url} label="the address" />],
        ['Host', hostWords[repository.type] ?? repository.type],
        [
          'Read as',
          repository.deploy_key ? (
            <Copyable key="key" value={repository.deploy_key} label="the deploy key" />
          ) : (
            (repository.username ?? 'everybody')
          ),
        ],
      ]}
    />
    {repository.deploy_key && (
      <Text size="sm" c="dimmed">
        Add this deploy key at the host of the repository, with the right to read. Its private part is sealed here and
        shown to nobody.
      </Text>
    )}
    <PushHook repository={repository} />
  </>
);
