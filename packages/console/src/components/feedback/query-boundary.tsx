import { Skeleton, Stack } from '@mantine/core';
import { ApiError } from '@mooring/contract';
import type { ReactNode } from 'react';
import { AccessDenied } from './access-denied.tsx';
import { Failure } from './failure.tsx';

export interface QueryState<T> {
  data: T | undefined;
  error: Error | null;
  refetch: () => unknown;
}

/** On 403 and 404, hide stale data. */
const isDenied = (error: Error | null): error is ApiError =>
  error instanceof ApiError && (error.status === 403 || error.status === 404);

interface QueryBoundaryProps<T> {
  query: QueryState<T>;
  /** Without this data there is no page. */
  isPage?: boolean;
  /** Placeholder until then. */
  skeleton?: ReactNode;
  children: (data: T) => ReactNode;
}

/** Shows the data of a query; until then a skeleton, or the error. */
export function QueryBoundary<T>({
  query,
  isPage = false,
  skeleton = <LoadingSkeleton />,
  children,
}: QueryBoundaryProps<T>) {
  const { data, error, refetch } = query;
  if (isDenied(error))
    return <AccessDenied isForbidden={error.status === 403} reason={error.message} isPage={isPage} />;
  if (data !== undefined) return children(data);
  if (!error) return skeleton;
  return <Failure error={error} title="Couldn't load this data" onRetry={() => void refetch()} />;
}

export function LoadingSkeleton() {
  return (
    <Stack role="status" aria-label="Loading" gap="sm">
      <Skeleton height={36} />
      <Skeleton height={36} />
      <Skeleton height={36} width="70%" />
    </Stack>
  );
}
