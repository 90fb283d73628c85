import { Alert, Group, Text } from '@mantine/core';
import { builds_create, repositoryConfigurations_createOrUpdate } from '@mooring/contract';
import { IconGitBranch, IconPlayerPlay } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { type Branch, useBranches, useQueueBuild, useRepository } from '../../api/builds.ts';
import { actionsColumn, timeColumn } from '../../parts/columns.tsx';
import { Copyable } from '../../parts/copyable.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { NameLink, TextLink } from '../../parts/links.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Page } from '../../parts/page.tsx';
import { RowButton } from '../../parts/row-button.tsx';
import { pathTo } from '../../paths.ts';
import { BuildStateBadge, buildStateOf, buildStateWords, Sha } from './build-words.tsx';
import { ConnectRepository } from './connect-repository.tsx';
import { RunnerNotice } from './runner-notice.tsx';

export default function BranchesPage() {
  const { appRef } = useAppHere();
  const repository = useRepository(appRef);
  return (
    <Page title="Branches" lead="Branches of the repository, and what was built of them.">
      <Loaded reading={repository}>{(found) => (found.repository ? <Branches /> : <NoRepository />)}</Loaded>
    </Page>
  );
}

function NoRepository() {
  const { app, may } = useAppHere();
  const name = `${app.owner.name}/${app.name}`;
  if (!may(repositoryConfigurations_createOrUpdate)) {
    return (
      <Empty icon={<IconGitBranch size={32} aria-hidden />}>
        The app has no repository yet. A developer of the app can connect one.
      </Empty>
    );
  }
  return (
    <>
      <Text size="sm" maw={720}>
        Connect the git repository of this app: then its branches can be built on runners, machines of yours that have
        the tools. Or from a command line:
      </Text>
      <Copyable
        value={`mooring repos connect ${name} https://git.example.com/${name}.git --user ${app.owner.name} --password-file token.txt`}
        label="the command"
      />
      <ConnectRepository />
    </>
  );
}

function Branches() {
  const { appRef, params, may } = useAppHere();
  const branches = useBranches(appRef);
  const repository = useRepository(appRef).data?.repository;
  const queueing = useQueueBuild(appRef);
  const navigate = useNavigate();
  const mayBuild = may(builds_create);
  const queue = ({ branch: { name } }: Branch) =>
    queueing.mutate(
      { branch: name },
      { onSuccess: ({ id }) => void navigate(pathTo('appBuild', { ...params, build: String(id) })) },
    );
  return (
    <>
      <RunnerNotice title="Builds have to wait" />
      {repository?.trouble && (
        <Alert color="red" title="The repository cannot be read">
          {repository.trouble}{' '}
          <TextLink size="sm" to={pathTo('appRepository', params)}>
            Repository
          </TextLink>
        </Alert>
      )}
      {queueing.error && <Failure error={queueing.error} title="It was not queued" />}
      <DataTable
        label="Branches"
        search="Search branches"
        reading={branches}
        keyOf={({ branch }) => branch.name}
        empty={
          <Empty icon={<IconGitBranch size={32} aria-hidden />}>
            {repository?.trouble
              ? 'No branch is known yet.'
              : 'The repository has no branches yet. Push one, and it appears here.'}
          </Empty>
        }
        columns={[
          {
            label: 'Branch',
            text: ({ branch }) => branch.name,
            cell: ({ branch }) => (
              <NameLink to={pathTo('appBranch', { ...params, branch: branch.name })}>{branch.name}</NameLink>
            ),
          },
          {
            label: 'Commit',
            width: 110,
            onPhone: 'hidden',
            text: ({ branch }) => branch.commit.sha,
            cell: ({ branch }) => (branch.commit.sha ? <Sha sha={branch.commit.sha} /> : '—'),
          },
          {
            label: 'Last build',
            width: 220,
            text: ({ lastBuild }) => (lastBuild ? buildStateWords[buildStateOf(lastBuild)] : ''),
            cell: ({ configured, lastBuild }) =>
              lastBuild ? (
                <Group gap="xs" wrap="nowrap">
                  <BuildStateBadge build={lastBuild} />
                  <TextLink size="sm" to={pathTo('appBuild', { ...params, build: String(lastBuild.id) })}>
                    {`Build ${lastBuild.id}`}
                  </TextLink>
                </Group>
              ) : configured ? (
                'none yet'
              ) : (
                'not configured'
              ),
          },
          timeColumn<Branch>('Queued', ({ lastBuild }) => lastBuild?.queueTime),
          actionsColumn<Branch>(110, (row) => {
            if (!mayBuild) return null;
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
