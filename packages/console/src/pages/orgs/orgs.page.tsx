import { IconBuilding, IconPlus } from '@tabler/icons-react';
import { useOrgsWithMine } from '../../api/orgs.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { ButtonLink } from '../../parts/links.tsx';
import { Named } from '../../parts/named.tsx';
import { Page } from '../../parts/page.tsx';
import { paths, pathTo } from '../../paths.ts';

export default function OrgsPage() {
  const orgs = useOrgsWithMine();
  return (
    <Page
      title="Organizations"
      lead="Those that you belong to."
      actions={
        <ButtonLink to={paths.newOrg} leftSection={<IconPlus size={16} aria-hidden />}>
          New organization
        </ButtonLink>
      }
    >
      <DataTable
        label="Organizations"
        search="Search organizations"
        reading={orgs}
        keyOf={({ name }) => name}
        empty={
          <Empty
            icon={<IconBuilding size={32} aria-hidden />}
            action={<ButtonLink to={paths.newOrg}>Create one</ButtonLink>}
          >
            You belong to no organization. Create one, or ask an admin of one to invite you.
          </Empty>
        }
        columns={[
          {
            label: 'Organization',
            text: ({ display_name, name }) => `${display_name} (${name})`,
            cell: ({ name, display_name, avatar_url }) => (
              <Named to={pathTo('org', { org: name })} name={display_name} id={name} image={avatar_url} />
            ),
          },
          { label: 'Your role', width: 200, text: roleOf, cell: roleOf },
        ]}
      />
    </Page>
  );
}

/** The API tells of no more than what one is an admin of. */
const roleOf = ({ isMine }: { isMine: boolean }): string => (isMine ? 'Admin' : 'Member or collaborator');
