import { Alert, Button, Text } from '@mantine/core';
import { repositoryConfigurations_createOrUpdate, repositoryConfigurations_delete } from '@mooring/contract';
import { IconGitBranch } from '@tabler/icons-react';
import { type Repository, useDisconnectRepository, useRepository } from '../../../api/builds/builds.ts';
import { useConfirm } from '../../../components/dialogs/use-confirm.tsx';
import { EmptyState } from '../../../components/feedback/empty-state.tsx';
import { QueryBoundary } from '../../../components/feedback/query-boundary.tsx';
import { Page, Section } from '../../../components/layout/page.tsx';
import { Copyable } from '../../../components/text/copyable.tsx';
import { DescriptionList } from '../../../components/text/description-list.tsx';
import { useCurrentApp } from '../../../context/permissions.ts';
import { ConnectRepository } from './connect-repository.tsx';
import { PushHook } from './push-webhook.tsx';

const hostLabels: Record<string, string> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  bitbucket: 'Bitbucket',
  vsts: 'Azure DevOps',
  git: 'Git server',
};

export default function RepositoryPage() {
  const { appRef, can } = useCurrentApp();
  const query = useRepository(appRef);
  const repository = query.data?.repository;
  const confirmation = useConfirm<Repository>({
    title: () => 'Disconnect repository?',
    action: 'Disconnect repository',
    consequence: ({ repo_url }) =>
      `Deletes all branch configurations, builds and their files. ${repo_url} itself stays unchanged. This cannot be undone.`,
    openDialog: useDisconnectRepository(appRef),
  });
  return (
    <Page
      title="Repository"
      description="The Git repository that builds use."
      actions={
        repository &&
        can(repositoryConfigurations_delete) && (
          <Button variant="default" onClick={() => confirmation.open(repository)}>
            Disconnect repository
          </Button>
        )
      }
    >
      <QueryBoundary query={query}>
        {() => (
          <>
            {repository ? (
              <RepositoryDetails repository={repository} />
            ) : (
              !can(repositoryConfigurations_createOrUpdate) && (
                <EmptyState icon={<IconGitBranch size={32} aria-hidden />}>
                  No repository connected. Ask a developer of this app to connect one.
                </EmptyState>
              )
            )}
            {can(repositoryConfigurations_createOrUpdate) && (
              <Section title={repository ? 'Edit repository' : 'Connect repository'}>
                <ConnectRepository key={repository?.repo_url} {...(repository ? { repository } : {})} />
              </Section>
            )}
          </>
        )}
      </QueryBoundary>
      {confirmation.dialog}
    </Page>
  );
}

const RepositoryDetails = ({ repository }: { repository: Repository }) => (
  <>
    {repository.trouble && (
      <Alert color="red" title="Couldn't read the repository">
        {repository.trouble}
      </Alert>
    )}
    <DescriptionList
      items={[
        ['Clone URL', <Copyable key="url" value={repository.repo_url} label="clone URL" />],
        ['Host', hostLabels[repository.type] ?? repository.type],
        [
          'User',
          repository.deploy_key ? (
            <Copyable key="key" value={repository.deploy_key} label="deploy key" />
          ) : (
            (repository.username ?? 'everybody')
          ),
        ],
      ]}
    />
    {repository.deploy_key && (
      <Text size="sm" c="dimmed">
        Add this deploy key with read access at your Git host. The private key is stored encrypted on this server and
        never shown.
      </Text>
    )}
    <PushHook repository={repository} />
  </>
);
