import { Text } from '@mantine/core';
import { test_archiveTestRun } from '@mooring/contract';
import { IconDeviceMobileCheck } from '@tabler/icons-react';
import { type TestRun, useArchiveRun, useTestRuns } from '../../api/tests.ts';
import { actionsColumn, timeColumn } from '../../parts/columns.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { NameLink } from '../../parts/links.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Page } from '../../parts/page.tsx';
import { useQuestion } from '../../parts/question.tsx';
import { RowButton } from '../../parts/row-button.tsx';
import { pathTo } from '../../paths.ts';
import { FirstRun } from './first-run.tsx';
import { nameOfRun, ResultBadge, seriesOf } from './run-words.tsx';

const counts = ({ stats }: TestRun): string =>
  `${stats.passed} passed, ${stats.failed} failed${stats.skipped > 0 ? `, ${stats.skipped} skipped` : ''}`;

export default function TestRunsPage() {
  const { appRef, params, may } = useAppHere();
  const mayChange = may(test_archiveTestRun);
  const archiving = useQuestion<TestRun>({
    title: () => 'Archive this test run?',
    action: 'Archive',
    loss: ({ runStatus }) =>
      runStatus === 'finished' ? 'It is no longer listed.' : 'It is stopped, and no longer listed.',
    doing: useArchiveRun(appRef),
  });
  return (
    <Page title="Runs" lead="Suites on devices, newest first.">
      <DataTable
        label="Test runs"
        name="runs"
        search="Search test runs"
        reading={useTestRuns(appRef)}
        keyOf={({ id }) => id}
        columns={[
          {
            label: 'Run',
            text: ({ date }) => date,
            cell: (run) => (
              <NameLink to={pathTo('appTestRun', { ...params, series: seriesOf(run), run: run.id })}>
                {nameOfRun(run)}
              </NameLink>
            ),
          },
          {
            label: 'Type',
            width: 100,
            text: ({ testType }) => testType ?? '',
            cell: ({ testType }) => testType ?? '—',
          },
          {
            label: 'Result',
            width: 110,
            text: ({ resultStatus }) => resultStatus,
            cell: (run) => <ResultBadge run={run} />,
          },
          {
            label: 'Tests',
            width: '22%',
            text: counts,
            cell: (run) => <Text size="sm">{counts(run)}</Text>,
          },
          {
            label: 'Devices',
            width: 90,
            isSecondary: true,
            text: ({ stats }) => stats.devices,
            cell: ({ stats }) => stats.devices,
          },
          timeColumn<TestRun>('Started', ({ date }) => date),
          actionsColumn<TestRun>(100, (run) =>
            mayChange ? (
              <RowButton label={`Archive the run of ${run.date}`} onClick={() => archiving.ask(run)}>
                Archive
              </RowButton>
            ) : null,
          ),
        ]}
        empty={
          <Empty icon={<IconDeviceMobileCheck size={32} aria-hidden />} action={<FirstRun />}>
            No tests have run yet.
          </Empty>
        }
      />
      {archiving.dialog}
    </Page>
  );
}
