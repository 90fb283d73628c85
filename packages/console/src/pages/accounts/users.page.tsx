import { Badge, Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { type AdminUser, useUsers } from '../../api/organizations/users.ts';
import { Page } from '../../components/layout/page.tsx';
import { actionsColumn, timeColumn, userColumns } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import type { Column } from '../../components/tables/table.ts';
import { useListQuery } from '../../components/tables/table-state.ts';
import { NewUserDialog } from './new-user-dialog.tsx';
import { UserActions } from './user-actions.tsx';

export default function UsersPage() {
  const users = useUsers(useListQuery(['name', 'display_name', 'email', 'created_at']));
  const [isCreating, creating] = useDisclosure();
  return (
    <Page
      title="Users"
      description="Everyone with an account on this server."
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={creating.open}>
          New user
        </Button>
      }
    >
      <DataTable
        id="accounts-users"
        label="Users"
        query={users}
        columns={columns}
        rowKey={({ id }) => id}
        search="Search users"
        isServers
        empty={null}
      />
      <NewUserDialog opened={isCreating} onClose={creating.close} />
    </Page>
  );
}

const columns: Column<AdminUser>[] = [
  ...userColumns<AdminUser>((user) => user, { name: 'display_name', email: 'email' }),
  {
    id: 'name',
    label: 'User name',
    sort: 'name',
    width: 150,
    text: ({ name }) => name,
    cell: ({ name }) => name,
    isSecondary: true,
    mobileDisplay: 'hidden',
  },
  {
    id: 'status',
    label: 'Status',
    width: 240,
    text: (user) =>
      listRights(user)
        .map(({ label }) => label)
        .join(', '),
    cell: (user) => <Rights user={user} />,
  },
  timeColumn('created_at', 'Created', ({ created_at }) => created_at, { sort: 'created_at', isSecondary: true }),
  actionsColumn(60, (user) => <UserActions user={user} />),
];

const listRights = ({ is_admin, is_service_account, is_disabled, is_email_verified }: AdminUser) => [
  is_admin
    ? { label: 'Administrator', color: 'harbor' }
    : { label: is_service_account ? 'Service account' : 'User', color: 'gray' },
  ...(is_disabled ? [{ label: 'Disabled', color: 'red' }] : []),
  ...(is_email_verified || is_service_account ? [] : [{ label: 'Email not verified', color: 'yellow' }]),
];

const Rights = ({ user }: { user: AdminUser }) => (
  <Group gap={6} wrap="nowrap">
    {listRights(user).map(({ label, color }) => (
      <Badge key={label} color={color}>
        {label}
      </Badge>
    ))}
  </Group>
);
