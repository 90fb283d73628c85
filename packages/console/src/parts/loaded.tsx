import { Skeleton, Stack } from '@mantine/core';
import { ApiError } from '@mooring/contract';
import type { ReactNode } from 'react';
import { Failure } from './failure.tsx';

interface Reading<T> {
  data: T | undefined;
  error: Error | null;
  refetch: () => unknown;
}

/** Shows what has been read; until then its outline, or why it could not be read. */
export function Loaded<T>({ reading, children }: { reading: Reading<T>; children: (data: T) => ReactNode }) {
  const { data, error, refetch } = reading;
  if (data !== undefined) return children(data);
  if (!error) return <Outline />;
  const isForbidden = error instanceof ApiError && error.status === 403;
  return (
    <Failure
      error={error}
      title={isForbidden ? 'You may not see this page' : 'This could not be loaded'}
      onRetry={() => void refetch()}
    />
  );
}

export function Outline() {
  return (
    <Stack role="status" aria-label="Loading" gap="sm">
      <Skeleton height={44} />
      <Skeleton height={44} />
      <Skeleton height={44} width="70%" />
    </Stack>
  );
}
