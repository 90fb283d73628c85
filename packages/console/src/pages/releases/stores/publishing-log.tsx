import { Alert, Code, Stack } from '@mantine/core';
import { usePublishing } from '../../../api/releases/stores.ts';
import { QueryBoundary } from '../../../components/feedback/query-boundary.tsx';
import { useCurrentApp } from '../../../context/permissions.ts';

/** Publishing steps, errors and reasons to wait. */
export function PublishingLog({ store, release }: { store: string; release: number }) {
  const { appRef } = useCurrentApp();
  const query = usePublishing(appRef, store, release);
  return (
    <QueryBoundary query={query}>
      {({ message, log }) => (
        <Stack gap="sm">
          {message && <Alert color="yellow">{message}</Alert>}
          <Code block tabIndex={0}>
            {log}
          </Code>
        </Stack>
      )}
    </QueryBoundary>
  );
}
