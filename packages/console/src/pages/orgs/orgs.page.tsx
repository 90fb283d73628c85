import { Group, Text } from '@mantine/core';
import { IconBuilding, IconPlus } from '@tabler/icons-react';
import { useOrgsWithMine } from '../../api/orgs.ts';
import { Empty } from '../../parts/empty.tsx';
import { Image } from '../../parts/image.tsx';
import { ButtonLink, NameLink } from '../../parts/links.tsx';
import { List } from '../../parts/list.tsx';
import { Page } from '../../parts/page.tsx';

export default function OrgsPage() {
  const orgs = useOrgsWithMine();
  return (
    <Page
      title="Organizations"
      lead="Those that you belong to. An organization owns apps, and has people, teams and service accounts."
      actions={
        <ButtonLink to="/create/org" leftSection={<IconPlus size={16} aria-hidden />}>
          New organization
        </ButtonLink>
      }
    >
      <List
        label="Organizations"
        reading={orgs}
        keyOf={({ name }) => name}
        empty={
          <Empty
            icon={<IconBuilding size={32} aria-hidden />}
            action={<ButtonLink to="/create/org">Create one</ButtonLink>}
          >
            You belong to no organization. Create one, or ask an admin of one to invite you.
          </Empty>
        }
        columns={[
          {
            label: 'Organization',
            cell: ({ name, display_name, avatar_url }) => (
              <Group gap="sm" wrap="nowrap">
                <Image address={avatar_url} name={display_name} size={30} />
                <div>
                  <NameLink to={`/orgs/${name}`}>{display_name}</NameLink>
                  <Text size="xs" c="dimmed">
                    {name}
                  </Text>
                </div>
              </Group>
            ),
          },
          { label: 'You are', isWhole: true, cell: ({ isMine }) => (isMine ? 'Admin' : 'Member or collaborator') },
        ]}
      />
    </Page>
  );
}
