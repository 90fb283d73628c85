import { Badge, Button, Group, Stack, Switch } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import { type Destination, type ReleaseDetails, useSetMandatory, useTakeBack } from '../../api/releases.ts';
import { actionsColumn } from '../../parts/columns.tsx';
import { Copyable } from '../../parts/copyable.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { NameLink } from '../../parts/links.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Part } from '../../parts/page.tsx';
import { useQuestion } from '../../parts/question.tsx';
import { RowButton } from '../../parts/row-button.tsx';
import type { Column } from '../../parts/table.ts';
import { installPath, pathTo } from '../../paths.ts';
import { PublishingLog } from './publishing-log.tsx';

const kindWords = { group: 'Group', tester: 'Tester', store: 'Store' };
const publishingWords: Record<string, string> = {
  submitted: 'Waiting',
  processing: 'Publishing',
  published: 'Published',
  failed: 'Failed',
};

export function ReleaseDestinations({
  release,
  onDistribute,
}: {
  release: ReleaseDetails;
  onDistribute: (() => void) | undefined;
}) {
  const { app, appRef, params } = useAppHere();
  const name = `${app.owner.name}/${app.name}`;
  const setting = useSetMandatory(appRef, release.id);
  const [shown, setShown] = useState<string>();
  const question = useQuestion<Destination>({
    title: ({ display_name, name }) => `Take it back from ${display_name ?? name}?`,
    action: 'Take back',
    loss: ({ display_name, name }) =>
      `${display_name ?? name} can no longer install it. Whoever has it installed keeps it.`,
    doing: useTakeBack(appRef, release.id),
  });
  const publicGroups = new Set(
    (release.distribution_groups ?? []).filter(({ is_public }) => is_public).map(({ id }) => id),
  );
  const columns: Column<Destination>[] = [
    {
      label: 'Name',
      text: ({ display_name, name = '' }) => display_name ?? name,
      cell: ({ destination_type, display_name, name = '' }) =>
        destination_type === 'group' ? (
          <NameLink to={pathTo('appGroup', { ...params, group: name })}>{display_name ?? name}</NameLink>
        ) : (
          [...new Set([display_name ?? name, name])].join(', ')
        ),
    },
    {
      label: 'Kind',
      width: 230,
      text: ({ destination_type = '' }) => destination_type,
      cell: ({ id, destination_type, is_latest, publishing_status, name = '' }) => (
        <Group gap={4} wrap="nowrap">
          <Badge color="gray">{kindWords[destination_type ?? 'group']}</Badge>
          {publishing_status && (
            <RowButton
              label={`${publishingWords[publishing_status] ?? publishing_status}: how far ${name} is`}
              onClick={() => setShown(name)}
            >
              {publishingWords[publishing_status] ?? publishing_status}
            </RowButton>
          )}
          {publicGroups.has(id) && <Badge color="yellow">Public</Badge>}
          {is_latest && <Badge color="blue">Latest</Badge>}
        </Group>
      ),
    },
    {
      label: 'Install page',
      isSecondary: true,
      cell: ({ destination_type, name = '' }) =>
        destination_type === 'group' && (
          <Copyable
            value={window.location.origin + installPath(app, name, release.id)}
            label={`the install page of ${name}`}
          />
        ),
    },
    ...(onDistribute
      ? [
          {
            label: 'Mandatory',
            width: 110,
            onPhone: 'label' as const,
            // What a store has is installed as the store says.
            cell: (destination: Destination) =>
              destination.destination_type !== 'store' && (
                <Switch
                  size="sm"
                  aria-label={`Mandatory for ${destination.name}`}
                  checked={destination.mandatory_update ?? false}
                  disabled={setting.isPending}
                  onChange={({ currentTarget }) => setting.mutate({ destination, isMandatory: currentTarget.checked })}
                />
              ),
          },
          actionsColumn<Destination>(110, (destination) => (
            <RowButton label={`Take back from ${destination.name}`} onClick={() => question.ask(destination)}>
              Take back
            </RowButton>
          )),
        ]
      : []),
  ];
  return (
    <Part title="Given to">
      {setting.error && <Failure error={setting.error} title="It could not be changed" />}
      <DataTable
        label="Destinations"
        name="given"
        reading={{ data: release.destinations ?? [], error: null, refetch: () => undefined }}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <Empty
            icon={<IconSend size={32} aria-hidden />}
            action={
              onDistribute && (
                <Stack align="center" gap="xs" maw="100%">
                  <Button onClick={onDistribute}>Distribute</Button>
                  <Copyable
                    value={`mooring releases distribute ${name} ${release.id} --group Testers`}
                    label="the command"
                  />
                </Stack>
              )
            }
          >
            Nobody has it yet.
          </Empty>
        }
      />
      {question.dialog}
      <Dialog
        opened={shown !== undefined}
        onClose={() => setShown(undefined)}
        title={`Publishing in ${shown}`}
        size="xl"
      >
        {shown !== undefined && <PublishingLog store={shown} release={release.id} />}
      </Dialog>
    </Part>
  );
}
