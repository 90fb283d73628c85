import { Anchor, Button, Code, Group, List, Stack, Text } from '@mantine/core';
import { devices_listCsvFormat, devices_resignRelease } from '@mooring/contract';
import { type ReleaseDetails, useGroupDevices, useResign, useResignings } from '../../../api/releases/releases.ts';
import { Failure } from '../../../components/feedback/failure.tsx';
import { QueryBoundary } from '../../../components/feedback/query-boundary.tsx';
import { formatCount } from '../../../components/text/format-count.ts';
import { Time } from '../../../components/text/time.tsx';
import { useCurrentApp } from '../../../context/permissions.ts';

const statusLabels: Record<string, string> = {
  submitted: 'Waiting for a runner',
  processing: 'Re-signing',
  completed: 'Re-signed',
  failed: 'failed',
};

/** Tester devices that the provisioning profile lacks, with re-signing. */
export function ReleaseDevices({ release }: { release: ReleaseDetails }) {
  const { can } = useCurrentApp();
  const groups = (release.destinations ?? []).filter(({ destination_type }) => destination_type === 'group');
  return (
    <Stack gap="xs">
      {groups.map(({ id, name = '', display_name }) => (
        <GroupDevices key={id} group={name} title={display_name ?? name} release={release.id} />
      ))}
      {can(devices_resignRelease) && <Resignings release={release} />}
    </Stack>
  );
}

function GroupDevices({ group, title, release }: { group: string; title: string; release: number }) {
  const { appRef } = useCurrentApp();
  const query = useGroupDevices(appRef, group, release);
  const groupParams = { ...appRef, distribution_group_name: group };
  const csv = devices_listCsvFormat.path.replace(/\{(\w+)\}/g, (_, key: keyof typeof groupParams) =>
    encodeURIComponent(groupParams[key]),
  );
  return (
    <QueryBoundary query={query}>
      {(devices) => {
        const left = devices.filter(({ status }) => status === 'unprovisioned');
        if (left.length === 0) return null;
        return (
          <div>
            <Text size="sm">
              {formatCount(left.length, 'device')} in {title} not in the provisioning profile.{' '}
              <Anchor href={`${csv}?unprovisioned_only=true`} download={`${group}-devices.txt`}>
                Download list for Apple
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
    </QueryBoundary>
  );
}

function Resignings({ release }: { release: ReleaseDetails }) {
  const { appRef } = useCurrentApp();
  const query = useResignings(appRef, release.id);
  const resigning = useResign(appRef, release.id);
  const [latest] = query.data ?? [];
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <Button variant="default" size="xs" loading={resigning.isPending} onClick={() => resigning.mutate({})}>
          Re-sign for all devices
        </Button>
        <Text size="sm" c="dimmed">
          {release.can_resign
            ? 'A runner re-signs this release for the devices of all its testers.'
            : "Waits for a runner with Apple's signing tools. None is registered for this app."}
        </Text>
      </Group>
      {resigning.error && <Failure error={resigning.error} title="Couldn't re-sign the release" />}
      {latest && (
        <Text size="sm">
          <Time at={latest.created_at} />: {statusLabels[latest.status] ?? latest.status},{' '}
          {formatCount(latest.device_count, 'device')}
          {latest.error_message ? `. ${latest.error_message}` : ''}
        </Text>
      )}
    </Stack>
  );
}
