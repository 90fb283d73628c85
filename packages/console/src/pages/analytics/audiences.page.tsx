import { Badge, Button, Code } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Analytics_CreateOrUpdateAudience } from '@mooring/contract';
import { IconPlus, IconUsersGroup } from '@tabler/icons-react';
import { useState } from 'react';
import { type Audience, useAudiences, useDeleteAudience } from '../../api/explore.ts';
import { inFull } from '../../parts/charts/numbers.ts';
import { actionsColumn } from '../../parts/columns.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Page } from '../../parts/page.tsx';
import { useQuestion } from '../../parts/question.tsx';
import { RowButton } from '../../parts/row-button.tsx';
import { AudienceDialog } from './audience-dialog.tsx';

/** Devices that have something in common. */
export default function AudiencesPage() {
  const { appRef, may } = useAppHere();
  const audiences = useAudiences(appRef);
  const [isCreating, creating] = useDisclosure();
  const [changed, setChanged] = useState<Audience>();
  const canChange = may(Analytics_CreateOrUpdateAudience);
  const deleting = useQuestion<Audience>({
    title: ({ name }) => `Delete ${name}?`,
    action: 'Delete',
    loss: () => 'The audience is gone; the devices in it stay.',
    doing: useDeleteAudience(appRef),
  });
  return (
    <Page
      title="Audiences"
      lead="Devices that have something in common, counted by what each told of itself last."
      actions={
        canChange && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={creating.open}>
            New audience
          </Button>
        )
      }
    >
      <DataTable
        label="Audiences"
        search="Search audiences"
        reading={audiences}
        keyOf={({ name }) => name}
        empty={
          <Empty
            icon={<IconUsersGroup size={32} aria-hidden />}
            action={canChange && <Button onClick={creating.open}>Create an audience</Button>}
          >
            There are no audiences yet.
          </Empty>
        }
        columns={[
          { label: 'Audience', text: ({ name }) => name, cell: ({ name }) => name },
          {
            label: 'Devices',
            width: 120,
            onPhone: 'label',
            text: ({ estimated_count = 0 }) => estimated_count,
            cell: ({ estimated_count, state }) =>
              state === 'Disabled' ? <Badge color="gray">Disabled</Badge> : inFull(estimated_count ?? 0),
          },
          {
            label: 'Definition',
            isSecondary: true,
            text: ({ definition }) => definition,
            cell: ({ definition }) => <Code>{definition}</Code>,
          },
          {
            label: 'Description',
            isSecondary: true,
            text: ({ description }) => description,
            cell: ({ description }) => description || '—',
          },
          ...(canChange
            ? [
                actionsColumn<Audience>(160, (audience) => (
                  <>
                    <RowButton label={`Change ${audience.name}`} onClick={() => setChanged(audience)}>
                      Change
                    </RowButton>
                    <RowButton label={`Delete ${audience.name}`} onClick={() => deleting.ask(audience)}>
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
        title={`Change ${changed?.name ?? ''}`}
        size="lg"
      >
        {changed && <AudienceDialog audience={changed} onClose={() => setChanged(undefined)} />}
      </Dialog>
      {deleting.dialog}
    </Page>
  );
}
