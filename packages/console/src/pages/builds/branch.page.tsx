import { Button, Group } from '@mantine/core';
import { branchConfigurations_delete, branchConfigurations_update, builds_create } from '@mooring/contract';
import { IconHammer, IconPlayerPlay, IconSettings } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useNavigate, useParams } from 'react-router';
import { appKey } from '../../api/apps.ts';
import {
  type BranchSettings,
  badgePath,
  useBranches,
  useBuilds,
  useCommit,
  useConfiguration,
  useDeleteConfiguration,
  useQueueBuild,
} from '../../api/builds.ts';
import { queries } from '../../api/client.ts';
import { Copyable } from '../../parts/copyable.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { DescriptionList } from '../../parts/description-list.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { ButtonLink, TextLink } from '../../parts/links.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Page, Part } from '../../parts/page.tsx';
import { useQuestion } from '../../parts/question.tsx';
import { pathTo } from '../../paths.ts';
import { readTrigger, toolsetOf, toolsetWords } from './branch-form.ts';
import { buildColumns } from './build-columns.tsx';
import { Sha } from './build-words.tsx';

export default function BranchPage() {
  const { appRef } = useAppHere();
  const { branch = '' } = useParams();
  const branches = useBranches(appRef);
  const found = branches.data?.find(({ branch: { name } }) => name === branch);
  const isConfigured = found?.configured ?? false;
  return (
    <Loaded reading={branches} isPage>
      {() => <Found key={branch} branch={branch} isConfigured={isConfigured} sha={found?.branch.commit.sha ?? ''} />}
    </Loaded>
  );
}

interface FoundProps {
  branch: string;
  isConfigured: boolean;
  sha: string;
}

function Found({ branch, isConfigured, sha }: FoundProps) {
  const { app, appRef, params, may } = useAppHere();
  const navigate = useNavigate();
  const queueing = useQueueBuild(appRef);
  const deletion = useDeleteConfiguration(appRef);
  const configuration = useConfiguration(appRef, branch, isConfigured);
  const builds = useBuilds(appRef, { branch });
  const mayChange = may(branchConfigurations_update);
  const question = useQuestion<string>({
    title: (name) => `Stop building ${name}?`,
    action: 'Delete',
    loss: () =>
      'Its configuration is deleted, with all its builds, their logs and files. The branch itself is left as it is. This cannot be undone.',
    doing: {
      ...deletion,
      mutate: (name) =>
        deletion.mutate(name, {
          onSuccess: () => {
            void navigate(pathTo('appBranches', params), { replace: true });
            void queries.invalidateQueries({ queryKey: appKey(appRef) });
          },
        }),
    },
  });
  const configure = pathTo('appConfiguration', { ...params, branch });
  return (
    <Page
      title={branch}
      lead={isConfigured ? 'How this branch is built, and what was built of it.' : 'This branch is not built yet.'}
      actions={
        <Group gap="sm">
          {isConfigured && configuration.data?.pattern === undefined && may(branchConfigurations_delete) && (
            <Button variant="default" onClick={() => question.ask(branch)}>
              Delete
            </Button>
          )}
          {mayChange && (
            <ButtonLink
              to={configure}
              variant={isConfigured ? 'default' : 'filled'}
              leftSection={<IconSettings size={16} aria-hidden />}
            >
              Configure
            </ButtonLink>
          )}
          {isConfigured && may(builds_create) && (
            <Button
              leftSection={<IconPlayerPlay size={16} aria-hidden />}
              loading={queueing.isPending}
              onClick={() =>
                queueing.mutate(
                  { branch },
                  { onSuccess: ({ id }) => void navigate(pathTo('appBuild', { ...params, build: String(id) })) },
                )
              }
            >
              Build now
            </Button>
          )}
        </Group>
      }
    >
      {queueing.error && <Failure error={queueing.error} title="It was not queued" />}
      <Loaded reading={configuration}>
        {(settings) => <Summary branch={branch} sha={sha} settings={isConfigured ? settings : undefined} />}
      </Loaded>
      <Part title="Builds">
        <DataTable
          label="Builds of this branch"
          name="builds"
          isServers
          reading={builds}
          keyOf={({ id }) => String(id)}
          columns={buildColumns(params, { hasBranch: false })}
          empty={
            <Empty
              icon={<IconHammer size={32} aria-hidden />}
              action={
                isConfigured && (
                  <Copyable
                    value={`mooring builds queue ${app.owner.name}/${app.name} ${branch}`}
                    label="the command"
                  />
                )
              }
            >
              {isConfigured
                ? 'Nothing was built of this branch yet. Build it now, or from a command line:'
                : 'Say how this branch is built; then it can be.'}
            </Empty>
          }
        />
      </Part>
      {question.dialog}
    </Page>
  );
}

interface SummaryProps {
  branch: string;
  sha: string;
  settings: (BranchSettings & { pattern?: string }) | undefined;
}

function Summary({ branch, sha, settings }: SummaryProps) {
  const { app, appRef, params } = useAppHere();
  const commit = useCommit(appRef, sha);
  const message = commit.data?.commit?.message?.split('\n')[0];
  const newest: [string, ReactNode] = [
    'Newest commit',
    sha ? (
      <>
        <Sha sha={sha} /> {message}
      </>
    ) : (
      'not known'
    ),
  ];
  if (!settings) return <DescriptionList items={[newest]} />;
  const toolset = toolsetOf(settings);
  const badge = window.location.origin + badgePath(app.id, branch);
  const variables = settings.environmentVariables ?? [];
  return (
    <DescriptionList
      items={[
        newest,
        ...(settings.pattern
          ? [
              [
                'Follows',
                <TextLink key="pattern" to={pathTo('appConfiguration', { ...params, branch: settings.pattern })}>
                  {settings.pattern}
                </TextLink>,
              ] as [string, ReactNode],
            ]
          : []),
        ['Toolset', toolset ? toolsetWords[toolset] : 'none yet'],
        ['Built', readTrigger(settings) === 'continuous' ? 'on each push' : 'by hand only'],
        ['Signed', settings.signed ? 'yes' : 'no'],
        ...(settings.badgeIsEnabled
          ? [['Badge', <Copyable key="badge" value={badge} label="the address of the badge" />] as [string, ReactNode]]
          : []),
        ['Variables', variables.length === 0 ? 'none' : variables.map(({ name }) => name).join(', ')],
      ]}
    />
  );
}
