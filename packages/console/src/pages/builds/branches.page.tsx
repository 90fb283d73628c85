import { Alert, Group, Text } from '@mantine/core';
import { builds_create, repositoryConfigurations_createOrUpdate } from '@mooring/contract';
import { IconGitBranch, IconPlayerPlay } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { type Branch, useBranches, useQueueBuild, useRepository } from '../../api/builds/builds.ts';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { Failure } from '../../components/feedback/failure.tsx';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { Page } from '../../components/layout/page.tsx';
import { actionsColumn, timeColumn } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { RowButton } from '../../components/tables/row-button.tsx';
import { Copyable } from '../../components/text/copyable.tsx';
import { NameLink, TextLink } from '../../components/text/links.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';
import { BuildStateBadge, buildStateLabels, getBuildState, Sha } from './build-labels.tsx';
import { ConnectRepository } from './repository/connect-repository.tsx';
import { RunnerNotice } from './runner-notice.tsx';

export default function BranchesPage() {
  const { appRef } = useCurrentApp();
  const repository = useRepository(appRef);
  return (
    <Page title="Branches" description="Branches of the repository and their latest builds.">
      <QueryBoundary query={repository}>{(data) => (data.repository ? <Branches /> : <NoRepository />)}</QueryBoundary>
    </Page>
  );
}

function NoRepository() {
  const { app, can } = useCurrentApp();
  const name = `${app.owner.name}/${app.name}`;
  if (!can(repositoryConfigurations_createOrUpdate)) {
    return (
      <EmptyState icon={<IconGitBranch size={32} aria-hidden />}>
        No repository connected. Ask a developer of this app to connect one.
      </EmptyState>
    );
  }
  return (
    <>
      <Text size="sm" maw={720}>
        Connect a Git repository to build its branches on your runners. You can also connect it from the command line:
      </Text>
      <Copyable
        value={`mooring repos connect ${name} https://git.example.com/${name}.git --user ${app.owner.name} --password-file token.txt`}
        label="command"
      />
      <ConnectRepository />
    </>
  );
}

function Branches() {
  const { appRef, params, can } = useCurrentApp();
  const branches = useBranches(appRef);
  const repository = useRepository(appRef).data?.repository;
  const queueing = useQueueBuild(appRef);
  const navigate = useNavigate();
  const canBuild = can(builds_create);
  const queue = ({ branch: { name } }: Branch) =>
    queueing.mutate(
      { branch: name },
      { onSuccess: ({ id }) => void navigate(pathTo('appBuild', { ...params, build: String(id) })) },
    );
  return (
    <>
      <RunnerNotice title="Builds can't start" />
      {repository?.trouble && (
        <Alert color="red" title="Couldn't read the repository">
          {repository.trouble}{' '}
          <TextLink size="sm" to={pathTo('appRepository', params)}>
            Repository
          </TextLink>
        </Alert>
      )}
      {queueing.error && <Failure error={queueing.error} title="Couldn't queue the build" />}
      <DataTable
        id="builds-branches"
        label="Branches"
        search="Search branches"
        query={branches}
        rowKey={({ branch }) => branch.name}
        empty={
          <EmptyState icon={<IconGitBranch size={32} aria-hidden />}>
            {repository?.trouble ? 'No branches found.' : 'No branches yet. Push a branch to build it.'}
          </EmptyState>
        }
        columns={[
          {
            id: 'branch',
            label: 'Branch',
            text: ({ branch }) => branch.name,
            cell: ({ branch }) => (
              <NameLink to={pathTo('appBranch', { ...params, branch: branch.name })}>{branch.name}</NameLink>
            ),
          },
          {
            id: 'commit',
            label: 'Commit',
            width: 110,
            mobileDisplay: 'hidden',
            text: ({ branch }) => branch.commit.sha,
            cell: ({ branch }) => (branch.commit.sha ? <Sha sha={branch.commit.sha} /> : '—'),
          },
          {
            id: 'last_build',
            label: 'Last build',
            width: 220,
            text: ({ lastBuild }) => (lastBuild ? buildStateLabels[getBuildState(lastBuild)] : ''),
            cell: ({ configured, lastBuild }) =>
              lastBuild ? (
                <Group gap="xs" wrap="nowrap">
                  <BuildStateBadge build={lastBuild} />
                  <TextLink size="sm" to={pathTo('appBuild', { ...params, build: String(lastBuild.id) })}>
                    {`Build ${lastBuild.id}`}
                  </TextLink>
                </Group>
              ) : configured ? (
                'None'
              ) : (
                'Not configured'
              ),
          },
          timeColumn<Branch>('queued', 'Queued', ({ lastBuild }) => lastBuild?.queueTime),
          actionsColumn<Branch>(110, (row) => {
            if (!canBuild) return null;
            const { name } = row.branch;
            if (!row.configured) {
              return (
                <RowButton
                  label={`Configure ${name}`}
                  onClick={() => void navigate(pathTo('appConfiguration', { ...params, branch: name }))}
                >
                  Configure
                </RowButton>
              );
            }
            return (
              <RowButton
                label={`Build ${name}`}
                leftSection={<IconPlayerPlay size={12} aria-hidden />}
                loading={queueing.isPending && queueing.variables?.branch === name}
                onClick={() => queue(row)}
              >
                Build
              </RowButton>
            );
          }),
        ]}
      />
    </>
  );
}
