import { Skeleton, Stack } from '@mantine/core';
import { ApiError } from '@mooring/contract';
import type { ReactNode } from 'react';
import { Failure } from './failure.tsx';
import { Hidden } from './hidden.tsx';

export interface Reading<T> {
  data: T | undefined;
  error: Error | null;
  refetch: () => unknown;
}

/** What has been read is gone, or no longer for this reader: an older answer must not go on standing there. */
const isHidden = (error: Error | null): error is ApiError =>
  error instanceof ApiError && (error.status === 403 || error.status === 404);

interface LoadedProps<T> {
  reading: Reading<T>;
  /** Without it there is no page at all. */
  isPage?: boolean;
  /** What stands there until then. */
  outline?: ReactNode;
  children: (data: T) => ReactNode;
}

/** Shows what has been read; until then its outline, or why it could not be read. */
export function Loaded<T>({ reading, isPage = false, outline = <Outline />, children }: LoadedProps<T>) {
  const { data, error, refetch } = reading;
  if (isHidden(error)) return <Hidden isForbidden={error.status === 403} reason={error.message} isPage={isPage} />;
  if (data !== undefined) return children(data);
  if (!error) return outline;
  return <Failure error={error} title="This could not be loaded" onRetry={() => void refetch()} />;
}

export function Outline() {
  return (
    <Stack role="status" aria-label="Loading" gap="sm">
      <Skeleton height={36} />
      <Skeleton height={36} />
      <Skeleton height={36} width="70%" />
    </Stack>
  );
}
