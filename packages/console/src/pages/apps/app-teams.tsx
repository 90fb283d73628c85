import { IconUsersGroup } from '@tabler/icons-react';
import { useAppTeams } from '../../api/apps.ts';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { NameLink } from '../../components/text/links.tsx';
import { formatRole } from '../../components/text/role-labels.ts';
import { useCurrentApp } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';

export function AppTeams() {
  const { app, appRef } = useCurrentApp();
  const teams = useAppTeams(appRef);
  return (
    <DataTable
      id="app-teams"
      label="Teams"
      name="teams"
      query={teams}
      rowKey={({ id }) => id}
      empty={
        <EmptyState icon={<IconUsersGroup size={32} aria-hidden />}>
          No teams have access. To add one, open the team and add this app.
        </EmptyState>
      }
      columns={[
        {
          id: 'team',
          label: 'Team',
          text: ({ display_name }) => display_name,
          cell: (team) => (
            <NameLink to={pathTo('orgTeam', { org: app.owner.name, team: team.name })}>{team.display_name}</NameLink>
          ),
        },
        {
          id: 'role',
          label: 'Role',
          width: 160,
          text: ({ permissions }) => formatRole(permissions?.[0]),
          cell: ({ permissions }) => formatRole(permissions?.[0]),
        },
      ]}
    />
  );
}
