import { Paper, Stack, Switch, Text } from '@mantine/core';
import { releaseGate_set } from '@mooring/contract';
import { useReleaseGate, useSetReleaseGate } from '../../api/releases/release-gate.ts';
import { Failure } from '../../components/feedback/failure.tsx';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { Section } from '../../components/layout/page.tsx';
import { useCurrentApp } from '../../context/permissions.ts';

/** Blocks releases with failed tests. */
export function ReleaseGate() {
  const { appRef, can } = useCurrentApp();
  const setting = useSetReleaseGate(appRef);
  return (
    <Section title="Release gate" description="Releases without a test run are never blocked.">
      {setting.error && <Failure error={setting.error} title="Couldn't change the release gate" />}
      <Paper withBorder p="lg" maw={720}>
        <QueryBoundary query={useReleaseGate(appRef)}>
          {({ hold_failed, waiting }) => (
            <Stack>
              <Switch
                label="Block releases until their tests pass"
                description="A release whose latest test run failed can't be distributed. While the run is in progress, the distribution waits until it passes."
                checked={setting.variables ?? hold_failed}
                disabled={!can(releaseGate_set) || setting.isPending}
                onChange={(event) => setting.mutate(event.currentTarget.checked)}
              />
              {waiting.map(({ release_id, destination_type, destination }) => (
                <Text key={`${release_id} ${destination_type} ${destination}`} size="sm">
                  Release {release_id} will be distributed to the {destination_type} {destination} when its tests pass.
                </Text>
              ))}
            </Stack>
          )}
        </QueryBoundary>
      </Paper>
    </Section>
  );
}
