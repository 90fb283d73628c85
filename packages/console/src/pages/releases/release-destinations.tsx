import { Badge, Button, Group, Stack, Switch } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import {
  type Destination,
  type ReleaseDetails,
  useRemoveDestination,
  useSetMandatory,
} from '../../api/releases/releases.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { useConfirm } from '../../components/dialogs/use-confirm.tsx';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { Failure } from '../../components/feedback/failure.tsx';
import { Section } from '../../components/layout/page.tsx';
import { actionsColumn } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { RowButton } from '../../components/tables/row-button.tsx';
import type { Column } from '../../components/tables/table.ts';
import { Copyable } from '../../components/text/copyable.tsx';
import { NameLink } from '../../components/text/links.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { installPath, pathTo } from '../../paths.ts';
import { PublishingLog } from './stores/publishing-log.tsx';

const kindLabels = { group: 'Group', tester: 'Tester', store: 'Store' };
const publishingLabels: Record<string, string> = {
  submitted: 'Queued',
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
  const { app, appRef, params } = useCurrentApp();
  const name = `${app.owner.name}/${app.name}`;
  const setting = useSetMandatory(appRef, release.id);
  const [shown, setShown] = useState<string>();
  const confirmation = useConfirm<Destination>({
    title: ({ display_name, name }) => `Remove destination ${display_name ?? name}?`,
    action: 'Remove destination',
    consequence: ({ display_name, name }) =>
      `${display_name ?? name} can no longer install this release. Existing installs stay.`,
    openDialog: useRemoveDestination(appRef, release.id),
  });
  const publicGroups = new Set(
    (release.distribution_groups ?? []).filter(({ is_public }) => is_public).map(({ id }) => id),
  );
  const columns: Column<Destination>[] = [
    {
      id: 'name',
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
      id: 'type',
      label: 'Type',
      width: 230,
      text: ({ destination_type = '' }) => destination_type,
      cell: ({ id, destination_type, is_latest, publishing_status, name = '' }) => (
        <Group gap={4} wrap="nowrap">
          <Badge color="gray">{kindLabels[destination_type ?? 'group']}</Badge>
          {publishing_status && (
            <RowButton
              label={`${publishingLabels[publishing_status] ?? publishing_status}: publishing log of ${name}`}
              onClick={() => setShown(name)}
            >
              {publishingLabels[publishing_status] ?? publishing_status}
            </RowButton>
          )}
          {publicGroups.has(id) && <Badge color="yellow">Public</Badge>}
          {is_latest && <Badge color="blue">Latest</Badge>}
        </Group>
      ),
    },
    {
      id: 'install_page',
      label: 'Install page',
      isSecondary: true,
      cell: ({ destination_type, name = '' }) =>
        destination_type === 'group' && (
          <Copyable
            value={window.location.origin + installPath(app, name, release.id)}
            label={`install page URL of ${name}`}
          />
        ),
    },
    ...(onDistribute
      ? [
          {
            id: 'mandatory',
            label: 'Mandatory',
            width: 110,
            mobileDisplay: 'label' as const,
            // Stores decide about updates themselves.
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
            <RowButton label={`Remove destination ${destination.name}`} onClick={() => confirmation.open(destination)}>
              Remove
            </RowButton>
          )),
        ]
      : []),
  ];
  return (
    <Section title="Distributed to">
      {setting.error && <Failure error={setting.error} title="Couldn't change the release" />}
      <DataTable
        id="release-destinations"
        label="Destinations"
        name="destinations"
        query={{ data: release.destinations ?? [], error: null, refetch: () => undefined }}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <EmptyState
            icon={<IconSend size={32} aria-hidden />}
            action={
              onDistribute && (
                <Stack align="center" gap="xs" maw="100%">
                  <Button onClick={onDistribute}>Distribute release</Button>
                  <Copyable
                    value={`mooring releases distribute ${name} ${release.id} --group Testers`}
                    label="command"
                  />
                </Stack>
              )
            }
          >
            Not distributed yet. Distribute the release here or from the command line:
          </EmptyState>
        }
      />
      {confirmation.dialog}
      <Dialog
        opened={shown !== undefined}
        onClose={() => setShown(undefined)}
        title={`Publishing log: ${shown}`}
        size="xl"
      >
        {shown !== undefined && <PublishingLog store={shown} release={release.id} />}
      </Dialog>
    </Section>
  );
}
