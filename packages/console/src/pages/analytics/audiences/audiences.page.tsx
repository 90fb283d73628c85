import { Badge, Button, Code } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Analytics_CreateOrUpdateAudience } from '@mooring/contract';
import { IconPlus, IconUsersGroup } from '@tabler/icons-react';
import { useState } from 'react';
import { type Audience, useAudiences, useDeleteAudience } from '../../../api/telemetry/explore.ts';
import { formatNumber } from '../../../components/charts/numbers.ts';
import { Dialog } from '../../../components/dialogs/dialog.tsx';
import { useConfirm } from '../../../components/dialogs/use-confirm.tsx';
import { EmptyState } from '../../../components/feedback/empty-state.tsx';
import { Page } from '../../../components/layout/page.tsx';
import { actionsColumn } from '../../../components/tables/columns.tsx';
import { DataTable } from '../../../components/tables/data-table.tsx';
import { RowButton } from '../../../components/tables/row-button.tsx';
import { useCurrentApp } from '../../../context/permissions.ts';
import { AudienceDialog } from './audience-dialog.tsx';

export default function AudiencesPage() {
  const { appRef, can } = useCurrentApp();
  const audiences = useAudiences(appRef);
  const [isCreating, creating] = useDisclosure();
  const [changed, setChanged] = useState<Audience>();
  const canChange = can(Analytics_CreateOrUpdateAudience);
  const deleting = useConfirm<Audience>({
    title: ({ name }) => `Delete audience ${name}?`,
    action: 'Delete audience',
    consequence: () => 'The audience is deleted. Devices and their data stay.',
    openDialog: useDeleteAudience(appRef),
  });
  return (
    <Page
      title="Audiences"
      description="Devices with common properties, based on the latest data of each device."
      actions={
        canChange && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={creating.open}>
            New audience
          </Button>
        )
      }
    >
      <DataTable
        id="audiences"
        label="Audiences"
        search="Search audiences"
        query={audiences}
        rowKey={({ name }) => name}
        empty={
          <EmptyState
            icon={<IconUsersGroup size={32} aria-hidden />}
            action={canChange && <Button onClick={creating.open}>Create audience</Button>}
          >
            No audiences yet
          </EmptyState>
        }
        columns={[
          { id: 'audience', label: 'Audience', text: ({ name }) => name, cell: ({ name }) => name },
          {
            id: 'devices',
            label: 'Devices',
            isNumber: true,
            width: 120,
            mobileDisplay: 'label',
            text: ({ estimated_count = 0 }) => estimated_count,
            cell: ({ estimated_count, state }) =>
              state === 'Disabled' ? <Badge color="gray">Disabled</Badge> : formatNumber(estimated_count ?? 0),
          },
          {
            id: 'definition',
            label: 'Definition',
            isSecondary: true,
            text: ({ definition }) => definition,
            cell: ({ definition }) => <Code>{definition}</Code>,
          },
          {
            id: 'description',
            label: 'Description',
            isSecondary: true,
            text: ({ description }) => description,
            cell: ({ description }) => description || '—',
          },
          ...(canChange
            ? [
                actionsColumn<Audience>(160, (audience) => (
                  <>
                    <RowButton label={`Edit ${audience.name}`} onClick={() => setChanged(audience)}>
                      Edit
                    </RowButton>
                    <RowButton label={`Delete ${audience.name}`} onClick={() => deleting.open(audience)}>
                      Delete
                    </RowButton>
                  </>
                )),
              ]
            : []),
        ]}
      />
      <Dialog opened={isCreating} onClose={creating.close} title="New audience" size="lg">
        <AudienceDialog onClose={creating.close} />
      </Dialog>
      <Dialog
        opened={changed !== undefined}
        onClose={() => setChanged(undefined)}
        title={`Edit ${changed?.name ?? ''}`}
        size="lg"
      >
        {changed && <AudienceDialog audience={changed} onClose={() => setChanged(undefined)} />}
      </Dialog>
      {deleting.dialog}
    </Page>
  );
}
