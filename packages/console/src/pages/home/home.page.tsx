import { Group, Paper, SimpleGrid, Text, ThemeIcon } from '@mantine/core';
import { IconBook, IconDevices, IconHistory, IconKey, IconUser, IconUsers, type TablerIcon } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useMe } from '../../parts/me.ts';
import { Page } from '../../parts/page.tsx';
import classes from './home.module.css';

interface Place {
  to: string;
  title: string;
  text: string;
  icon: TablerIcon;
  /** Served beside the console, so it needs a real page load. */
  isOutside?: true;
}

const places: Place[] = [
  {
    to: '/settings/tokens',
    title: 'API tokens',
    text: 'Let scripts and tools act as you, and revoke them.',
    icon: IconKey,
  },
  {
    to: '/docs',
    title: 'API specification',
    text: 'Read every operation, and try it from the browser.',
    icon: IconBook,
    isOutside: true,
  },
  { to: '/settings/profile', title: 'Profile', text: 'Your display name and your password.', icon: IconUser },
  {
    to: '/settings/sessions',
    title: 'Sessions',
    text: 'See where you are signed in, and sign out there.',
    icon: IconDevices,
  },
];

const administration: Place[] = [
  { to: '/admin/users', title: 'Users', text: 'Add people, and decide who administers this server.', icon: IconUsers },
  { to: '/admin/audit', title: 'Audit log', text: 'Who changed what, when and from where.', icon: IconHistory },
];

export default function HomePage() {
  const me = useMe();
  return (
    <Page title={`Welcome, ${me.display_name}`} lead="What would you like to do?">
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
        {[...places, ...(me.is_admin ? administration : [])].map((place) => (
          <Card key={place.to} {...place} />
        ))}
      </SimpleGrid>
    </Page>
  );
}

function Card({ to, title, text, icon: Icon, isOutside }: Place) {
  const content = (
    <Group wrap="nowrap" align="flex-start">
      <ThemeIcon variant="light" size={40}>
        <Icon size={22} aria-hidden />
      </ThemeIcon>
      <div>
        <Text fw={600}>{title}</Text>
        <Text size="sm" c="dimmed">
          {text}
        </Text>
      </div>
    </Group>
  );
  const look = { withBorder: true, p: 'lg', className: classes.card } as const;
  return isOutside ? (
    <Paper component="a" href={to} {...look}>
      {content}
    </Paper>
  ) : (
    <Paper component={Link} to={to} {...look}>
      {content}
    </Paper>
  );
}
