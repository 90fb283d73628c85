import { Badge, Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { distributionGroups_create } from '@mooring/contract';
import { IconPlus, IconUsersGroup } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { type GroupOperations, useCreateGroup, useGroups } from '../../api/organizations/groups.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { getBodyRules } from '../../components/forms/field-rules.ts';
import { TextField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { Page } from '../../components/layout/page.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { NameLink } from '../../components/text/links.tsx';
import type { PermissionCheck } from '../../context/permissions.ts';

export interface GroupListProps {
  title: string;
  description: string;
  operations: GroupOperations;
  /** Path of a group's page. */
  getPath: (group: string) => string;
  can: PermissionCheck;
}

export function GroupList({ title, description, operations, getPath, can }: GroupListProps) {
  const groups = useGroups(operations);
  const [isCreating, creating] = useDisclosure();
  return (
    <Page
      title={title}
      description={description}
      actions={
        can(operations.needs.create) && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={creating.open}>
            New group
          </Button>
        )
      }
    >
      <DataTable
        id="group-list"
        label={title}
        search="Search distribution groups"
        query={groups}
        rowKey={({ id }) => id}
        empty={
          can(operations.needs.create) ? (
            <EmptyState
              icon={<IconUsersGroup size={32} aria-hidden />}
              action={<Button onClick={creating.open}>Create group</Button>}
            >
              No distribution groups yet
            </EmptyState>
          ) : (
            <EmptyState icon={<IconUsersGroup size={32} aria-hidden />}>
              No distribution groups yet. Ask a developer of this app to create one.
            </EmptyState>
          )
        }
        columns={[
          {
            id: 'group',
            label: 'Group',
            text: ({ name, display_name }) => display_name ?? name,
            cell: ({ name, display_name }) => <NameLink to={getPath(name)}>{display_name ?? name}</NameLink>,
          },
          {
            id: 'releases',
            label: 'Releases',
            width: 180,
            text: ({ is_public }) => (is_public ? 'Public' : 'Members only'),
            cell: ({ is_public }) =>
              is_public ? <Badge color="yellow">Public</Badge> : <Badge color="gray">Members only</Badge>,
          },
        ]}
      />
      <Dialog opened={isCreating} onClose={creating.close} title="New group">
        <NewGroup operations={operations} getPath={getPath} onClose={creating.close} />
      </Dialog>
    </Page>
  );
}

function NewGroup({
  operations,
  getPath,
  onClose,
}: Pick<GroupListProps, 'operations' | 'getPath'> & { onClose: () => void }) {
  const creation = useCreateGroup(operations);
  const navigate = useNavigate();
  return (
    <Form
      action="Create group"
      sending={creation}
      conflict="name"
      onCancel={onClose}
      onSend={(fields) =>
        creation.mutate(fields.text('name') ?? '', {
          onSuccess: ({ name }) => navigate(getPath(name)),
        })
      }
    >
      <TextField
        name="name"
        label="Name"
        rule={getBodyRules(distributionGroups_create)('name')}
        placeholder="Beta testers"
        data-autofocus
      />
    </Form>
  );
}
