import { IconBuilding, IconPlus } from '@tabler/icons-react';
import { useOrgs } from '../../api/orgs.ts';
import { Empty } from '../../parts/empty.tsx';
import { ButtonLink, NameLink } from '../../parts/links.tsx';
import { List } from '../../parts/list.tsx';
import { Page } from '../../parts/page.tsx';

export default function OrgsPage() {
  const orgs = useOrgs();
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
            cell: ({ name, display_name }) => <NameLink to={`/orgs/${name}`}>{display_name}</NameLink>,
          },
          { label: 'Name', cell: ({ name }) => name },
        ]}
      />
    </Page>
  );
}
