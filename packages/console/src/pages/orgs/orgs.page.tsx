import { IconBuilding, IconPlus } from '@tabler/icons-react';
import { useOrgsWithMine } from '../../api/organizations/orgs.ts';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { Page } from '../../components/layout/page.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { EntityLink } from '../../components/text/entity-link.tsx';
import { ButtonLink } from '../../components/text/links.tsx';
import { paths, pathTo } from '../../paths.ts';

export default function OrgsPage() {
  const orgs = useOrgsWithMine();
  return (
    <Page
      title="Organizations"
      description="Organizations you belong to."
      actions={
        <ButtonLink to={paths.newOrg} leftSection={<IconPlus size={16} aria-hidden />}>
          New organization
        </ButtonLink>
      }
    >
      <DataTable
        id="orgs"
        label="Organizations"
        search="Search organizations"
        query={orgs}
        rowKey={({ name }) => name}
        empty={
          <EmptyState
            icon={<IconBuilding size={32} aria-hidden />}
            action={<ButtonLink to={paths.newOrg}>Create organization</ButtonLink>}
          >
            No organizations yet. Create one, or ask an admin for an invitation.
          </EmptyState>
        }
        columns={[
          {
            id: 'organization',
            label: 'Organization',
            text: ({ display_name, name }) => `${display_name} (${name})`,
            cell: ({ name, display_name, avatar_url }) => (
              <EntityLink to={pathTo('org', { org: name })} name={display_name} id={name} image={avatar_url} />
            ),
          },
          { id: 'your_role', label: 'Your role', width: 200, text: formatRole, cell: formatRole },
        ]}
      />
    </Page>
  );
}

/** The API only tells which organizations the user is an admin of. */
const formatRole = ({ isMine }: { isMine: boolean }): string => (isMine ? 'Admin' : 'Member or collaborator');
