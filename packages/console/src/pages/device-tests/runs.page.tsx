import { Text } from '@mantine/core';
import { test_archiveTestRun } from '@mooring/contract';
import { IconDeviceMobileCheck } from '@tabler/icons-react';
import { useLatestBuilds } from '../../api/builds/builds.ts';
import { type TestRun, useArchiveRun, useTestRuns } from '../../api/builds/tests.ts';
import { useConfirm } from '../../components/dialogs/use-confirm.tsx';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { Page } from '../../components/layout/page.tsx';
import { actionsColumn, timeColumn } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { RowButton } from '../../components/tables/row-button.tsx';
import { NameLink, TextLink } from '../../components/text/links.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';
import { Sha } from '../builds/build-labels.tsx';
import { FirstRun } from './first-run.tsx';
import { getRunName, getSeries, ResultBadge } from './run-labels.tsx';

const counts = ({ stats }: TestRun): string =>
  `${stats.passed} passed, ${stats.failed} failed${stats.skipped > 0 ? `, ${stats.skipped} skipped` : ''}`;

/** Builds whose commits are shown; older runs show none. */
const MAX_BUILDS = 200;

export default function TestRunsPage() {
  const { appRef, params, can } = useCurrentApp();
  const builds = useLatestBuilds(appRef, MAX_BUILDS).data ?? [];
  const commits = new Map<number | undefined, string>(builds.map(({ id, sourceVersion }) => [id, sourceVersion]));
  const canChange = can(test_archiveTestRun);
  const archiving = useConfirm<TestRun>({
    title: () => 'Archive test run?',
    action: 'Archive test run',
    consequence: ({ runStatus }) =>
      runStatus === 'finished'
        ? 'The test run is hidden from this list.'
        : 'The test run is stopped and hidden from this list.',
    openDialog: useArchiveRun(appRef),
  });
  return (
    <Page title="Runs" description="Test suites on devices, newest first.">
      <DataTable
        id="device-tests-runs"
        label="Test runs"
        name="runs"
        search="Search test runs"
        query={useTestRuns(appRef)}
        rowKey={({ id }) => id}
        columns={[
          {
            id: 'run',
            label: 'Run',
            text: ({ date }) => date,
            cell: (run) => (
              <NameLink to={pathTo('appTestRun', { ...params, series: getSeries(run), run: run.id })}>
                {getRunName(run)}
              </NameLink>
            ),
          },
          {
            id: 'build',
            label: 'Build',
            width: 110,
            mobileDisplay: 'label',
            text: ({ buildId, releaseId }) => buildId ?? releaseId ?? 0,
            cell: ({ buildId, releaseId }) =>
              buildId !== undefined ? (
                <TextLink size="sm" to={pathTo('appBuild', { ...params, build: String(buildId) })}>
                  {`Build ${buildId}`}
                </TextLink>
              ) : releaseId !== undefined ? (
                <TextLink size="sm" to={pathTo('appRelease', { ...params, release: String(releaseId) })}>
                  {`Release ${releaseId}`}
                </TextLink>
              ) : (
                '—'
              ),
          },
          {
            id: 'commit',
            label: 'Commit',
            width: 100,
            isSecondary: true,
            mobileDisplay: 'label',
            text: ({ buildId }) => commits.get(buildId) ?? '',
            cell: ({ buildId }) => {
              const sha = commits.get(buildId);
              return sha ? <Sha sha={sha} /> : '—';
            },
          },
          {
            id: 'type',
            label: 'Type',
            width: 100,
            text: ({ testType }) => testType ?? '',
            cell: ({ testType }) => testType ?? '—',
          },
          {
            id: 'result',
            label: 'Result',
            width: 110,
            text: ({ resultStatus }) => resultStatus,
            cell: (run) => <ResultBadge run={run} />,
          },
          {
            id: 'tests',
            label: 'Tests',
            width: '22%',
            text: counts,
            cell: (run) => <Text size="sm">{counts(run)}</Text>,
          },
          {
            id: 'devices',
            label: 'Devices',
            width: 90,
            isSecondary: true,
            text: ({ stats }) => stats.devices,
            cell: ({ stats }) => stats.devices,
          },
          timeColumn<TestRun>('started', 'Started', ({ date }) => date),
          actionsColumn<TestRun>(100, (run) =>
            canChange ? (
              <RowButton label={`Archive run of ${run.date}`} onClick={() => archiving.open(run)}>
                Archive
              </RowButton>
            ) : null,
          ),
        ]}
        empty={
          <EmptyState icon={<IconDeviceMobileCheck size={32} aria-hidden />} action={<FirstRun />}>
            No test runs yet
          </EmptyState>
        }
      />
      {archiving.dialog}
    </Page>
  );
}
