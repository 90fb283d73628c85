import { Badge, Code } from '@mantine/core';
import type { Build } from '../../api/builds/builds.ts';

export type BuildState = 'queued' | 'building' | 'stopping' | 'succeeded' | 'failed' | 'canceled';

export const buildStateLabels: Record<BuildState, string> = {
  queued: 'Queued',
  building: 'Building',
  stopping: 'Canceling',
  succeeded: 'Succeeded',
  failed: 'Failed',
  canceled: 'Canceled',
};

const colors: Record<BuildState, string> = {
  queued: 'gray',
  building: 'blue',
  stopping: 'yellow',
  succeeded: 'green',
  failed: 'red',
  canceled: 'gray',
};

export function getBuildState({ status, result }: Pick<Build, 'status' | 'result'>): BuildState {
  if (status === 'notStarted') return 'queued';
  if (status === 'inProgress') return 'building';
  if (status === 'cancelling') return 'stopping';
  return result === 'succeeded' || result === 'failed' ? result : 'canceled';
}

export const BuildStateBadge = ({ build }: { build: Pick<Build, 'status' | 'result'> }) => {
  const state = getBuildState(build);
  return <Badge color={colors[state]}>{buildStateLabels[state]}</Badge>;
};

export const isOpen = ({ status }: Pick<Build, 'status'>): boolean => status !== 'completed';

export const Sha = ({ sha }: { sha: string }) => <Code title={sha}>{sha.slice(0, 8)}</Code>;

/** Duration, until now for running builds. */
export function formatDuration(
  { status, startTime, finishTime }: Pick<Build, 'status' | 'startTime' | 'finishTime'>,
  now: number,
): string {
  // A build whose runner was lost is queued again.
  if (!startTime || status === 'notStarted') return '—';
  const seconds = Math.max(0, Math.round(((finishTime ? Date.parse(finishTime) : now) - Date.parse(startTime)) / 1000));
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds} s`;
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export const priorityLabels: Record<NonNullable<Build['priority']>, string> = {
  low: 'Low',
  normal: 'Normal',
  high: 'High',
};

export const triggerLabels: Record<string, string> = { manual: 'Manual', push: 'Push' };
