import { Alert, Code, Stack } from '@mantine/core';
import { usePublishing } from '../../api/stores.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { useAppHere } from '../../parts/may.ts';

/** What was done to publish a release, and why it failed or what it waits for. */
export function PublishingLog({ store, release }: { store: string; release: number }) {
  const { appRef } = useAppHere();
  const reading = usePublishing(appRef, store, release);
  return (
    <Loaded reading={reading}>
      {({ message, log }) => (
        <Stack gap="sm">
          {message && <Alert color="yellow">{message}</Alert>}
          <Code block tabIndex={0}>
            {log}
          </Code>
        </Stack>
      )}
    </Loaded>
  );
}
