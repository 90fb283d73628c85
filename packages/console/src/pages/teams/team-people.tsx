import { teams_addUser, teams_removeUser } from '@mooring/contract';
import { IconUsers } from '@tabler/icons-react';
import { useMembers } from '../../api/organizations/orgs.ts';
import {
  type TeamMember,
  type TeamRef,
  useAddTeamMember,
  useRemoveTeamMember,
  useTeamMembers,
} from '../../api/organizations/teams.ts';
import { useConfirm } from '../../components/dialogs/use-confirm.tsx';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { AddOne } from '../../components/forms/add-one.tsx';
import { Section } from '../../components/layout/page.tsx';
import { actionsColumn, userColumns } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { RowButton } from '../../components/tables/row-button.tsx';
import { useCurrentOrg } from '../../context/permissions.ts';

export function TeamPeople({ teamRef }: { teamRef: TeamRef }) {
  const { org, can } = useCurrentOrg();
  const members = useTeamMembers(teamRef);
  const people = useMembers(org.name).data ?? [];
  const adding = useAddTeamMember(teamRef);
  const removal = useRemoveTeamMember(teamRef);
  const confirmation = useConfirm<TeamMember>({
    title: ({ display_name }) => `Remove member ${display_name} from the team?`,
    action: 'Remove member',
    consequence: ({ display_name }) => `${display_name} immediately loses the access to apps through this team.`,
    openDialog: { ...removal, mutate: ({ name }, options) => removal.mutate(name, options) },
  });
  const inTeam = new Set((members.data ?? []).map(({ name }) => name));
  return (
    <Section
      title="People"
      actions={
        can(teams_addUser) && (
          <AddOne
            label="Person to add"
            placeholder="Choose a member"
            choices={people
              .filter(({ name }) => !inTeam.has(name))
              .map(({ email, display_name }) => ({ value: email, label: `${display_name} (${email})` }))}
            adding={adding}
          />
        )
      }
    >
      <DataTable
        id="team-people"
        label="People"
        name="people"
        query={members}
        rowKey={({ name }) => name}
        empty={<EmptyState icon={<IconUsers size={32} aria-hidden />}>No members yet</EmptyState>}
        columns={[
          ...userColumns<TeamMember>((member) => member),
          { id: 'role', label: 'Role', width: 200, text: formatRole, cell: formatRole },
          ...(can(teams_removeUser)
            ? [
                actionsColumn<TeamMember>(100, (member) => (
                  <RowButton onClick={() => confirmation.open(member)} label={`Remove ${member.display_name}`}>
                    Remove
                  </RowButton>
                )),
              ]
            : []),
        ]}
      />
      {confirmation.dialog}
    </Section>
  );
}

const formatRole = ({ role }: TeamMember): string => (role === 'maintainer' ? 'Organization admin' : 'Team member');
