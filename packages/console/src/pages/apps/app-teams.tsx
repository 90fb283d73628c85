import { IconUsersGroup } from '@tabler/icons-react';
import { useAppTeams } from '../../api/apps.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { NameLink } from '../../parts/links.tsx';
import { useAppHere } from '../../parts/may.ts';
import { inWords } from '../../parts/role-words.ts';
import { pathTo } from '../../paths.ts';

export function AppTeams() {
  const { app, appRef } = useAppHere();
  const teams = useAppTeams(appRef);
  return (
    <DataTable
      label="Teams"
      name="teams"
      reading={teams}
      keyOf={({ id }) => id}
      empty={
        <Empty icon={<IconUsersGroup size={32} aria-hidden />}>
          No team has access. Add the app to one on the team's own page.
        </Empty>
      }
      columns={[
        {
          label: 'Team',
          text: ({ display_name }) => display_name,
          cell: (team) => (
            <NameLink to={pathTo('orgTeam', { org: app.owner.name, team: team.name })}>{team.display_name}</NameLink>
          ),
        },
        {
          label: 'Role',
          width: 160,
          text: ({ permissions }) => inWords(permissions?.[0]),
          cell: ({ permissions }) => inWords(permissions?.[0]),
        },
      ]}
    />
  );
}
