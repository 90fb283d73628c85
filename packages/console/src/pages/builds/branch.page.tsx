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
} from '../../api/builds/builds.ts';
import { queries } from '../../api/client.ts';
import { useConfirm } from '../../components/dialogs/use-confirm.tsx';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { Failure } from '../../components/feedback/failure.tsx';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { Page, Section } from '../../components/layout/page.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { Copyable } from '../../components/text/copyable.tsx';
import { DescriptionList } from '../../components/text/description-list.tsx';
import { ButtonLink, TextLink } from '../../components/text/links.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';
import { buildColumns } from './build-columns.tsx';
import { Sha } from './build-labels.tsx';
import { findToolset, readTrigger, toolsetLabels } from './configuration/branch-form.ts';

export default function BranchPage() {
  const { appRef } = useCurrentApp();
  const { branch = '' } = useParams();
  const branches = useBranches(appRef);
  const match = branches.data?.find(({ branch: { name } }) => name === branch);
  const isConfigured = match?.configured ?? false;
  return (
    <QueryBoundary query={branches} isPage>
      {() => (
        <BranchView key={branch} branch={branch} isConfigured={isConfigured} sha={match?.branch.commit.sha ?? ''} />
      )}
    </QueryBoundary>
  );
}

interface BranchViewProps {
  branch: string;
  isConfigured: boolean;
  sha: string;
}

function BranchView({ branch, isConfigured, sha }: BranchViewProps) {
  const { app, appRef, params, can } = useCurrentApp();
  const navigate = useNavigate();
  const queueing = useQueueBuild(appRef);
  const deletion = useDeleteConfiguration(appRef);
  const configuration = useConfiguration(appRef, branch, isConfigured);
  const builds = useBuilds(appRef, { branch });
  const canChange = can(branchConfigurations_update);
  const confirmation = useConfirm<string>({
    title: (name) => `Delete build configuration of ${name}?`,
    action: 'Delete configuration',
    consequence: () =>
      'Deletes the configuration and all builds of this branch, with their logs and files. The Git branch stays. This cannot be undone.',
    openDialog: {
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
      description={
        isConfigured ? 'Build configuration and builds of this branch.' : 'This branch has no build configuration yet.'
      }
      actions={
        <Group gap="sm">
          {isConfigured && configuration.data?.pattern === undefined && can(branchConfigurations_delete) && (
            <Button variant="default" onClick={() => confirmation.open(branch)}>
              Delete configuration
            </Button>
          )}
          {canChange && (
            <ButtonLink
              to={configure}
              variant={isConfigured ? 'default' : 'filled'}
              leftSection={<IconSettings size={16} aria-hidden />}
            >
              Configure builds
            </ButtonLink>
          )}
          {isConfigured && can(builds_create) && (
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
      {queueing.error && <Failure error={queueing.error} title="Couldn't queue the build" />}
      <QueryBoundary query={configuration}>
        {(settings) => <Summary branch={branch} sha={sha} settings={isConfigured ? settings : undefined} />}
      </QueryBoundary>
      <Section title="Builds">
        <DataTable
          id="builds-branch"
          label="Builds of this branch"
          name="builds"
          isServers
          query={builds}
          rowKey={({ id }) => String(id)}
          columns={buildColumns(params, { hasBranch: false })}
          empty={
            <EmptyState
              icon={<IconHammer size={32} aria-hidden />}
              action={
                isConfigured && (
                  <Copyable value={`mooring builds queue ${app.owner.name}/${app.name} ${branch}`} label="command" />
                )
              }
            >
              {isConfigured
                ? 'No builds yet. Start one here or from the command line:'
                : 'No builds yet. Configure builds first.'}
            </EmptyState>
          }
        />
      </Section>
      {confirmation.dialog}
    </Page>
  );
}

interface SummaryProps {
  branch: string;
  sha: string;
  settings: (BranchSettings & { pattern?: string }) | undefined;
}

function Summary({ branch, sha, settings }: SummaryProps) {
  const { app, appRef, params } = useCurrentApp();
  const commit = useCommit(appRef, sha);
  const message = commit.data?.commit?.message?.split('\n')[0];
  const newest: [string, ReactNode] = [
    'Latest commit',
    sha ? (
      <>
        <Sha sha={sha} /> {message}
      </>
    ) : (
      'Unknown'
    ),
  ];
  if (!settings) return <DescriptionList items={[newest]} />;
  const toolset = findToolset(settings);
  const badge = window.location.origin + badgePath(app.id, branch);
  const variables = settings.environmentVariables ?? [];
  return (
    <DescriptionList
      items={[
        newest,
        ...(settings.pattern
          ? [
              [
                'Branch pattern',
                <TextLink key="pattern" to={pathTo('appConfiguration', { ...params, branch: settings.pattern })}>
                  {settings.pattern}
                </TextLink>,
              ] as [string, ReactNode],
            ]
          : []),
        ['Toolset', toolset ? toolsetLabels[toolset] : 'None'],
        ['Trigger', readTrigger(settings) === 'continuous' ? 'On every push' : 'Manual'],
        ['Signed', settings.signed ? 'Yes' : 'No'],
        ...(settings.badgeIsEnabled
          ? [['Badge', <Copyable key="badge" value={badge} label="badge URL" />] as [string, ReactNode]]
          : []),
        ['Variables', variables.length === 0 ? 'None' : variables.map(({ name }) => name).join(', ')],
      ]}
    />
  );
}
