import { Anchor, Button, Code, Group, List, Stack, Text } from '@mantine/core';
import { devices_listCsvFormat, devices_resignRelease } from '@mooring/contract';
import { type ReleaseDetails, useGroupDevices, useResign, useResignings } from '../../api/releases.ts';
import { Failure } from '../../parts/failure.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Time } from '../../parts/time.tsx';

const statusWords: Record<string, string> = {
  submitted: 'waits for a runner',
  processing: 'a runner signs it',
  completed: 'signed anew',
  failed: 'failed',
};

/** Devices of testers that the profile does not name, and what can be done about it. */
export function ReleaseDevices({ release }: { release: ReleaseDetails }) {
  const { may } = useAppHere();
  const groups = (release.destinations ?? []).filter(({ destination_type }) => destination_type === 'group');
  return (
    <Stack gap="xs">
      {groups.map(({ id, name = '', display_name }) => (
        <GroupDevices key={id} group={name} title={display_name ?? name} release={release.id} />
      ))}
      {may(devices_resignRelease) && <Resignings release={release} />}
    </Stack>
  );
}

function GroupDevices({ group, title, release }: { group: string; title: string; release: number }) {
  const { appRef } = useAppHere();
  const reading = useGroupDevices(appRef, group, release);
  const parts = { ...appRef, distribution_group_name: group };
  const csv = devices_listCsvFormat.path.replace(/\{(\w+)\}/g, (_, key: keyof typeof parts) =>
    encodeURIComponent(parts[key]),
  );
  return (
    <Loaded reading={reading}>
      {(devices) => {
        const left = devices.filter(({ status }) => status === 'unprovisioned');
        if (left.length === 0) return null;
        return (
          <div>
            <Text size="sm">
              {left.length === 1 ? 'One device' : `${left.length} devices`} of {title} not in the profile.{' '}
              <Anchor href={`${csv}?unprovisioned_only=true`} download={`${group}-devices.txt`}>
                Download for Apple
              </Anchor>
            </Text>
            <List size="sm">
              {left.map(({ udid, full_device_name, device_name }) => (
                <List.Item key={udid}>
                  {full_device_name ?? device_name} <Code>{udid}</Code>
                </List.Item>
              ))}
            </List>
          </div>
        );
      }}
    </Loaded>
  );
}

function Resignings({ release }: { release: ReleaseDetails }) {
  const { appRef } = useAppHere();
  const reading = useResignings(appRef, release.id);
  const resigning = useResign(appRef, release.id);
  const [latest] = reading.data ?? [];
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <Button variant="default" size="xs" loading={resigning.isPending} onClick={() => resigning.mutate({})}>
          Sign for all devices
        </Button>
        <Text size="sm" c="dimmed">
          {release.can_resign
            ? 'A runner signs it anew for the devices of everybody who has it.'
            : "No runner of this app has Apple's tools; it waits until one has."}
        </Text>
      </Group>
      {resigning.error && <Failure error={resigning.error} title="It cannot be signed anew" />}
      {latest && (
        <Text size="sm">
          <Time at={latest.created_at} />: {statusWords[latest.status] ?? latest.status}, {latest.device_count} devices
          {latest.error_message ? `. ${latest.error_message}` : ''}
        </Text>
      )}
    </Stack>
  );
}
