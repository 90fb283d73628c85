import { Badge, Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { type AdminUser, useUsers } from '../../api/users.ts';
import { actionsColumn, personColumns, timeColumn } from '../../parts/columns.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Page } from '../../parts/page.tsx';
import type { Column } from '../../parts/table.ts';
import { useListQuery } from '../../parts/table-state.ts';
import { NewUserDialog } from './new-user-dialog.tsx';
import { UserActions } from './user-actions.tsx';

export default function UsersPage() {
  const users = useUsers(useListQuery(['name', 'display_name', 'email', 'created_at']));
  const [isCreating, creating] = useDisclosure();
  return (
    <Page
      title="Users"
      lead="Everybody who has an account on this server."
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={creating.open}>
          New user
        </Button>
      }
    >
      <DataTable
        label="Users"
        reading={users}
        columns={columns}
        keyOf={({ id }) => id}
        search="Search users"
        isServers
        empty={null}
      />
      <NewUserDialog opened={isCreating} onClose={creating.close} />
    </Page>
  );
}

const columns: Column<AdminUser>[] = [
  ...personColumns<AdminUser>((user) => user, { name: 'display_name', email: 'email' }),
  {
    label: 'User name',
    sort: 'name',
    width: 150,
    text: ({ name }) => name,
    cell: ({ name }) => name,
    isSecondary: true,
    onPhone: 'hidden',
  },
  {
    label: 'Status',
    width: 240,
    text: (user) =>
      rightsOf(user)
        .map(({ label }) => label)
        .join(', '),
    cell: (user) => <Rights user={user} />,
  },
  timeColumn('Created', ({ created_at }) => created_at, { sort: 'created_at', isSecondary: true }),
  actionsColumn(60, (user) => <UserActions user={user} />),
];

const rightsOf = ({ is_admin, is_service_account, is_disabled, is_email_verified }: AdminUser) => [
  is_admin
    ? { label: 'Administrator', color: 'harbor' }
    : { label: is_service_account ? 'Service account' : 'User', color: 'gray' },
  ...(is_disabled ? [{ label: 'Disabled', color: 'red' }] : []),
  ...(is_email_verified || is_service_account ? [] : [{ label: 'E-mail not verified', color: 'yellow' }]),
];

const Rights = ({ user }: { user: AdminUser }) => (
  <Group gap={6} wrap="nowrap">
    {rightsOf(user).map(({ label, color }) => (
      <Badge key={label} color={color}>
        {label}
      </Badge>
    ))}
  </Group>
);
