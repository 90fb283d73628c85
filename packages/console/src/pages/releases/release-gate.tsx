import { Paper, Stack, Switch, Text } from '@mantine/core';
import { releaseGate_set } from '@mooring/contract';
import { useReleaseGate, useSetReleaseGate } from '../../api/release-gate.ts';
import { Failure } from '../../parts/failure.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Part } from '../../parts/page.tsx';

/** Whether releases whose tests failed are held back. */
export function ReleaseGate() {
  const { appRef, may } = useAppHere();
  const setting = useSetReleaseGate(appRef);
  return (
    <Part title="Tests before a release" lead="What was never tested is not held back.">
      {setting.error && <Failure error={setting.error} title="It was not changed" />}
      <Paper withBorder p="lg" maw={720}>
        <Loaded reading={useReleaseGate(appRef)}>
          {({ hold_failed, waiting }) => (
            <Stack>
              <Switch
                label="Hold back releases whose tests did not pass"
                description="They are given to no group, tester or store while their newest test run failed. While it runs they wait, and go when it has passed."
                checked={setting.variables ?? hold_failed}
                disabled={!may(releaseGate_set) || setting.isPending}
                onChange={(event) => setting.mutate(event.currentTarget.checked)}
              />
              {waiting.map(({ release_id, destination_type, destination }) => (
                <Text key={`${release_id} ${destination_type} ${destination}`} size="sm">
                  Release {release_id} waits for its tests, and then goes to the {destination_type} {destination}.
                </Text>
              ))}
            </Stack>
          )}
        </Loaded>
      </Paper>
    </Part>
  );
}
