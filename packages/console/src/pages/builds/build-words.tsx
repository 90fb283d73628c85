import { Badge, Code } from '@mantine/core';
import type { Build } from '../../api/builds.ts';

export type BuildState = 'queued' | 'building' | 'stopping' | 'succeeded' | 'failed' | 'canceled';

export const buildStateWords: Record<BuildState, string> = {
  queued: 'Queued',
  building: 'Building',
  stopping: 'Cancelling',
  succeeded: 'Succeeded',
  failed: 'Failed',
  canceled: 'Cancelled',
};

const colors: Record<BuildState, string> = {
  queued: 'gray',
  building: 'blue',
  stopping: 'yellow',
  succeeded: 'green',
  failed: 'red',
  canceled: 'gray',
};

export function buildStateOf({ status, result }: Pick<Build, 'status' | 'result'>): BuildState {
  if (status === 'notStarted') return 'queued';
  if (status === 'inProgress') return 'building';
  if (status === 'cancelling') return 'stopping';
  return result === 'succeeded' || result === 'failed' ? result : 'canceled';
}

export const BuildStateBadge = ({ build }: { build: Pick<Build, 'status' | 'result'> }) => {
  const state = buildStateOf(build);
  return <Badge color={colors[state]}>{buildStateWords[state]}</Badge>;
};

export const isOpen = ({ status }: Pick<Build, 'status'>): boolean => status !== 'completed';

export const Sha = ({ sha }: { sha: string }) => <Code title={sha}>{sha.slice(0, 8)}</Code>;

/** How long it took, or takes until now. */
export function durationInWords(
  { status, startTime, finishTime }: Pick<Build, 'status' | 'startTime' | 'finishTime'>,
  now: number,
): string {
  // One whose runner was lost waits again.
  if (!startTime || status === 'notStarted') return '—';
  const seconds = Math.max(0, Math.round(((finishTime ? Date.parse(finishTime) : now) - Date.parse(startTime)) / 1000));
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds} s`;
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export const priorityWords: Record<NonNullable<Build['priority']>, string> = {
  low: 'After others',
  normal: 'In its turn',
  high: 'Before others',
};

export const triggerWords: Record<string, string> = { manual: 'By hand', push: 'Push' };
