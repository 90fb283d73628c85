import { Avatar, Group, Menu, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { IconChevronDown, IconLogout, IconUser } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { User } from '../api/account.ts';
import { useSignOut } from '../api/sessions.ts';
import { settings } from '../sections.ts';
import { reasonOf } from './failure.tsx';

export function UserMenu({ user }: { user: User }) {
  return (
    <Menu position="bottom-end" width={230} shadow="md">
      <Menu.Target>
        <UnstyledButton aria-label={`Menu of ${user.display_name}`}>
          <Group gap="xs" wrap="nowrap">
            <Avatar color="harbor" size={30}>
              <IconUser size={18} aria-hidden />
            </Avatar>
            <Text size="sm" fw={500} visibleFrom="sm" maw={180} truncate>
              {user.display_name}
            </Text>
            <IconChevronDown size={14} aria-hidden />
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{user.email}</Menu.Label>
        {settings.sections.map(({ path, label }) => (
          <Menu.Item key={path} component={Link} to={`/settings/${path}`}>
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <ColorSchemeChoice />
        <Menu.Divider />
        <SignOut />
      </Menu.Dropdown>
    </Menu>
  );
}

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
        <Text size="xs" c="var(--mantine-color-error)" px="sm" pb="xs" role="alert">
          {reasonOf(error)}
        </Text>
      )}
    </>
  );
}
