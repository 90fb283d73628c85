import { Avatar, Group, Menu, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import {
  IconChevronDown,
  IconDevices,
  IconHistory,
  IconKey,
  IconLogout,
  IconUser,
  IconUsers,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { User } from '../api/account.ts';
import { useSignOut } from '../api/sessions.ts';
import { reasonOf } from './failure.tsx';

export function UserMenu({ user }: { user: User }) {
  return (
    <Menu position="bottom-end" width={230} shadow="md">
      <Menu.Target>
        <UnstyledButton aria-label={`Menu of ${user.display_name}`}>
          <Group gap="xs" wrap="nowrap">
            <Avatar name={user.display_name} color="harbor" size={32} alt="" />
            <Text size="sm" fw={500} visibleFrom="sm" maw={180} truncate>
              {user.display_name}
            </Text>
            <IconChevronDown size={14} aria-hidden />
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{user.email}</Menu.Label>
        <Entry to="/settings/profile" icon={<IconUser size={16} />}>
          Profile
        </Entry>
        <Entry to="/settings/sessions" icon={<IconDevices size={16} />}>
          Sessions
        </Entry>
        <Entry to="/settings/tokens" icon={<IconKey size={16} />}>
          API tokens
        </Entry>
        {user.is_admin && (
          <>
            <Menu.Divider />
            <Menu.Label>Administration</Menu.Label>
            <Entry to="/admin/users" icon={<IconUsers size={16} />}>
              Users
            </Entry>
            <Entry to="/admin/audit" icon={<IconHistory size={16} />}>
              Audit log
            </Entry>
          </>
        )}
        <Menu.Divider />
        <ColorSchemeChoice />
        <Menu.Divider />
        <SignOut />
      </Menu.Dropdown>
    </Menu>
  );
}

const Entry = ({ to, icon, children }: { to: string; icon: ReactNode; children: string }) => (
  <Menu.Item component={Link} to={to} leftSection={icon}>
    {children}
  </Menu.Item>
);

function ColorSchemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <Menu.Label>Colour scheme</Menu.Label>
      <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(value as typeof colorScheme)}>
        <Menu.RadioItem value="auto">As the system</Menu.RadioItem>
        <Menu.RadioItem value="light">Light</Menu.RadioItem>
        <Menu.RadioItem value="dark">Dark</Menu.RadioItem>
      </Menu.RadioGroup>
    </>
  );
}

function SignOut() {
  const { mutate, isPending, error } = useSignOut();
  return (
    <>
      <Menu.Item
        leftSection={<IconLogout size={16} />}
        disabled={isPending}
        closeMenuOnClick={false}
        onClick={() => mutate()}
      >
        Sign out
      </Menu.Item>
      {error && (
        <Text size="xs" c="red" px="sm" pb="xs" role="alert">
          {reasonOf(error)}
        </Text>
      )}
    </>
  );
}
