import { Badge } from '@mantine/core';
import type { Outcome, TestDevice, TestRun } from '../../api/builds/tests.ts';
import { formatExactTime } from '../../components/text/format-time.ts';
import { capitalize } from '../../components/text/role-labels.ts';

const resultColors: Record<TestRun['resultStatus'], string> = {
  pending: 'blue',
  passed: 'green',
  failed: 'red',
  stopped: 'gray',
  error: 'yellow',
};

/** Clients link to a run below its series. */
export const getSeries = ({ testSeries }: TestRun): string => testSeries ?? 'all';

export const getSeriesName = ({ testSeries, testType }: TestRun): string => testSeries ?? testType ?? 'Test run';

/** The series and the time: most runs of an app share a series. */
export const getRunName = (run: TestRun): string => `${getSeriesName(run)}, ${formatExactTime(Date.parse(run.date))}`;

export const ResultBadge = ({ run }: { run: TestRun }) => (
  <Badge color={resultColors[run.resultStatus]}>
    {capitalize(run.runStatus === 'finished' ? run.resultStatus : run.runStatus)}
  </Badge>
);

const statusColors: Record<Outcome['status'], string> = {
  passed: 'green',
  failed: 'red',
  skipped: 'gray',
  running: 'blue',
};

export const StatusBadge = ({ status }: { status: Outcome['status'] }) => (
  <Badge color={statusColors[status]}>{capitalize(status)}</Badge>
);

const deviceColors: Record<TestDevice['state'], string> = {
  pending: 'gray',
  running: 'blue',
  finished: 'green',
  failed: 'yellow',
  stopped: 'gray',
};

export const DeviceBadge = ({ state }: Pick<TestDevice, 'state'>) => (
  <Badge color={deviceColors[state]}>{capitalize(state)}</Badge>
);

export const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;
