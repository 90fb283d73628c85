import { Menu, Text, useMantineColorScheme } from '@mantine/core';
import { IconLogout, IconShieldCheck } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { User } from '../../api/account/account.ts';
import { useSignOut } from '../../api/account/sign-out.ts';
import { settings } from '../../areas/index.ts';
import { listOpenGroups } from '../../context/current-page.ts';
import { paths } from '../../paths.ts';
import type { Opened } from '../dialogs/on-demand.tsx';
import { getErrorMessage } from '../feedback/failure.tsx';

export default function UserMenu({ user, target }: Opened & { user: User }) {
  return (
    <Menu position="bottom-end" width={230} shadow="md" withinPortal={false}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {user.display_name}
          <br />
          {user.email}
        </Menu.Label>
        {listOpenGroups({ area: settings, caller: 'user', params: {} })
          .flatMap(({ sections }) => sections)
          .map(({ section: { label, icon: Icon }, to }) => (
            <Menu.Item key={to} component={Link} to={to} leftSection={<Icon size={16} stroke={1.6} aria-hidden />}>
              {label}
            </Menu.Item>
          ))}
        {user.is_admin && (
          <>
            <Menu.Divider />
            <Menu.Item
              component={Link}
              to={paths.admin}
              leftSection={<IconShieldCheck size={16} stroke={1.6} aria-hidden />}
            >
              Administration
            </Menu.Item>
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

function ColorSchemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <Menu.Label>Color scheme</Menu.Label>
      <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(value as typeof colorScheme)}>
        <Menu.RadioItem value="auto">System</Menu.RadioItem>
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
        leftSection={<IconLogout size={16} stroke={1.6} aria-hidden />}
        disabled={isPending}
        closeMenuOnClick={false}
        onClick={() => mutate()}
      >
        Sign out
      </Menu.Item>
      {error && (
        <Text size="xs" c="var(--mantine-color-error)" px="sm" pb="xs" role="alert">
          {getErrorMessage(error)}
        </Text>
      )}
    </>
  );
}
