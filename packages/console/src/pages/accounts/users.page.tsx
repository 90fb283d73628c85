import { Badge, Button, Group, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { type AdminUser, useUsers } from '../../api/users.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { LoadMore } from '../../parts/load-more.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Person } from '../../parts/person.tsx';
import { Time } from '../../parts/time.tsx';
import { NewUserDialog } from './new-user-dialog.tsx';
import { UserActions } from './user-actions.tsx';

export default function UsersPage() {
  const users = useUsers();
  const [isCreating, creating] = useDisclosure();
  return (
    <Page
      title="Users"
      lead="Everybody who has an account on this server."
      actions={
        users.data && (
          <Button leftSection={<IconPlus size={16} />} onClick={creating.open}>
            New user
          </Button>
        )
      }
    >
      <Loaded reading={users}>
        {(rows) => (
          <Stack>
            <DataTable label="Users" columns={columns} rows={rows} keyOf={({ id }) => id} />
            <LoadMore pages={users} />
          </Stack>
        )}
      </Loaded>
      <NewUserDialog opened={isCreating} onClose={creating.close} />
    </Page>
  );
}

const columns: Column<AdminUser>[] = [
  { label: 'Person', cell: (user) => <Person person={{ ...user, email: user.name }} /> },
  { label: 'E-mail', cell: ({ email }) => email },
  { label: 'Rights', cell: (user) => <Rights user={user} /> },
  { label: 'Since', isWhole: true, cell: ({ created_at }) => <Time at={created_at} /> },
  { label: 'Actions', header: '', isTight: true, cell: (user) => <UserActions user={user} /> },
];

const Rights = ({ user }: { user: AdminUser }) => (
  <Group gap={6}>
    {user.is_admin ? <Badge>Administrator</Badge> : !user.is_service_account && <Badge color="gray">User</Badge>}
    {user.is_service_account && <Badge color="gray">Service account</Badge>}
    {user.is_disabled && <Badge color="red">Disabled</Badge>}
    {!user.is_email_verified && !user.is_service_account && <Badge color="yellow">E-mail not verified</Badge>}
  </Group>
);
