import { Badge, Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { distributionGroups_create } from '@mooring/contract';
import { IconPlus, IconUsersGroup } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { type GroupOperations, useCreateGroup, useGroups } from '../../api/groups.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { fieldsOf } from '../../parts/field-rules.ts';
import { TextField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { NameLink } from '../../parts/links.tsx';
import type { May } from '../../parts/may.ts';
import { Page } from '../../parts/page.tsx';

export interface GroupListProps {
  title: string;
  lead: string;
  operations: GroupOperations;
  /** Where the page of a group is. */
  pathOf: (group: string) => string;
  may: May;
}

export function GroupList({ title, lead, operations, pathOf, may }: GroupListProps) {
  const groups = useGroups(operations);
  const [isCreating, creating] = useDisclosure();
  return (
    <Page
      title={title}
      lead={lead}
      actions={
        may(operations.needs.create) && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={creating.open}>
            New group
          </Button>
        )
      }
    >
      <DataTable
        label={title}
        search="Search distribution groups"
        reading={groups}
        keyOf={({ id }) => id}
        empty={
          may(operations.needs.create) ? (
            <Empty
              icon={<IconUsersGroup size={32} aria-hidden />}
              action={<Button onClick={creating.open}>Create a group</Button>}
            >
              There are no distribution groups yet.
            </Empty>
          ) : (
            <Empty icon={<IconUsersGroup size={32} aria-hidden />}>
              There are no distribution groups yet. A developer of the app can create one.
            </Empty>
          )
        }
        columns={[
          {
            label: 'Group',
            text: ({ name, display_name }) => display_name ?? name,
            cell: ({ name, display_name }) => <NameLink to={pathOf(name)}>{display_name ?? name}</NameLink>,
          },
          {
            label: 'Releases',
            width: 180,
            text: ({ is_public }) => (is_public ? 'Public' : 'Members only'),
            cell: ({ is_public }) =>
              is_public ? <Badge color="yellow">Public</Badge> : <Badge color="gray">Members only</Badge>,
          },
        ]}
      />
      <Dialog opened={isCreating} onClose={creating.close} title="New group">
        <NewGroup operations={operations} pathOf={pathOf} onClose={creating.close} />
      </Dialog>
    </Page>
  );
}

function NewGroup({
  operations,
  pathOf,
  onClose,
}: Pick<GroupListProps, 'operations' | 'pathOf'> & { onClose: () => void }) {
  const creation = useCreateGroup(operations);
  const navigate = useNavigate();
  return (
    <Form
      action="Create"
      sending={creation}
      conflict="name"
      onCancel={onClose}
      onSend={(fields) =>
        creation.mutate(fields.text('name') ?? '', {
          onSuccess: ({ name }) => navigate(pathOf(name)),
        })
      }
    >
      <TextField
        name="name"
        label="Name"
        rule={fieldsOf(distributionGroups_create)('name')}
        placeholder="Beta testers"
        data-autofocus
      />
    </Form>
  );
}
