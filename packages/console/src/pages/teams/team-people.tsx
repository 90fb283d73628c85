import { teams_addUser, teams_removeUser } from '@mooring/contract';
import { IconUsers } from '@tabler/icons-react';
import { useMembers } from '../../api/orgs.ts';
import {
  type TeamMember,
  type TeamRef,
  useAddTeamMember,
  useRemoveTeamMember,
  useTeamMembers,
} from '../../api/teams.ts';
import { AddOne } from '../../parts/add-one.tsx';
import { actionsColumn, personColumns } from '../../parts/columns.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { useOrgHere } from '../../parts/may.ts';
import { Part } from '../../parts/page.tsx';
import { useQuestion } from '../../parts/question.tsx';
import { RowButton } from '../../parts/row-button.tsx';

export function TeamPeople({ teamRef }: { teamRef: TeamRef }) {
  const { org, may } = useOrgHere();
  const members = useTeamMembers(teamRef);
  const people = useMembers(org.name).data ?? [];
  const adding = useAddTeamMember(teamRef);
  const removal = useRemoveTeamMember(teamRef);
  const question = useQuestion<TeamMember>({
    title: ({ display_name }) => `Remove ${display_name} from the team?`,
    action: 'Remove',
    loss: ({ display_name }) => `${display_name} loses what the team could do to apps, from the next request on.`,
    doing: { ...removal, mutate: ({ name }, options) => removal.mutate(name, options) },
  });
  const inTeam = new Set((members.data ?? []).map(({ name }) => name));
  return (
    <Part
      title="People"
      actions={
        may(teams_addUser) && (
          <AddOne
            label="Person to add"
            placeholder="Somebody of the organization"
            choices={people
              .filter(({ name }) => !inTeam.has(name))
              .map(({ email, display_name }) => ({ value: email, label: `${display_name} (${email})` }))}
            adding={adding}
          />
        )
      }
    >
      <DataTable
        label="People"
        name="people"
        reading={members}
        keyOf={({ name }) => name}
        empty={<Empty icon={<IconUsers size={32} aria-hidden />}>Nobody is in the team yet.</Empty>}
        columns={[
          ...personColumns<TeamMember>((member) => member),
          { label: 'Role', width: 200, text: roleOf, cell: roleOf },
          ...(may(teams_removeUser)
            ? [
                actionsColumn<TeamMember>(100, (member) => (
                  <RowButton onClick={() => question.ask(member)} label={`Remove ${member.display_name}`}>
                    Remove
                  </RowButton>
                )),
              ]
            : []),
        ]}
      />
      {question.dialog}
    </Part>
  );
}

const roleOf = ({ role }: TeamMember): string =>
  role === 'maintainer' ? 'Admin of the organization' : 'Member of the team';
