import { Text } from '@mantine/core';
import { type OrgRole, orgInvitations_create, orgRoles, users_updateOrgRole } from '@mooring/contract';
import { IconUsers } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { orgInvitations } from '../../api/invitations.ts';
import { type ListedMember, useMemberPages, useRemoveMember, useSetRole } from '../../api/orgs.ts';
import { Choice } from '../../parts/choice.tsx';
import { actionsColumn, personColumns, timeColumn } from '../../parts/columns.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { useFilters } from '../../parts/filters.tsx';
import { useOrgHere } from '../../parts/may.ts';
import { useMe } from '../../parts/me.ts';
import { Page } from '../../parts/page.tsx';
import { useQuestion } from '../../parts/question.tsx';
import { inWords, roleWords } from '../../parts/role-words.ts';
import { RowButton } from '../../parts/row-button.tsx';
import type { Column } from '../../parts/table.ts';
import { useListQuery } from '../../parts/table-state.ts';
import { toast } from '../../parts/toasts.ts';
import { paths } from '../../paths.ts';
import { InviteButton } from '../invitations/invite-dialog.tsx';

const roles = orgRoles.map((role) => ({ value: role, label: inWords(role) }));

export default function OrgPeoplePage() {
  const { org, may } = useOrgHere();
  const me = useMe();
  const { values, bar } = useFilters([{ name: 'role', label: 'Role', kind: 'choice', choices: roles }]);
  const members = useMemberPages(org.name, {
    ...useListQuery(['display_name', 'email', 'role', 'joined_at']),
    role: orgRoles.find((role) => role === values.role),
  });
  const change = useSetRole(org.name);
  const canManage = may(users_updateOrgRole);
  const setRole = ({ name, display_name, role: before }: ListedMember, role: OrgRole) =>
    change.mutate(
      { name, role },
      {
        onSuccess: () => toast(`${display_name} is now ${inWords(role)}.`, () => change.mutate({ name, role: before })),
      },
    );
  const removal = useQuestion<ListedMember>({
    title: ({ name, display_name }) => (name === me.name ? `Leave ${org.display_name}?` : `Remove ${display_name}?`),
    action: 'Remove',
    loss: ({ name, display_name }) =>
      `${name === me.name ? 'You lose' : `${display_name} loses`} the organization, its teams and all its apps, from the next request on.`,
    doing: useRemoval(),
  });
  return (
    <Page
      title="People"
      lead="Admins manage everything, collaborators create apps, members only look."
      actions={
        may(orgInvitations_create) && (
          <InviteButton invitations={orgInvitations(org.name)} words={roleWords} first="collaborator" />
        )
      }
    >
      {change.error && <Failure error={change.error} title="The role stays as it is" />}
      <DataTable
        label="People"
        search="Search people"
        filters={bar}
        isServers
        reading={members}
        keyOf={({ name }) => name}
        empty={<Empty icon={<IconUsers size={32} aria-hidden />}>Nobody is here.</Empty>}
        columns={[
          ...personColumns<ListedMember>((member) => member, { name: 'display_name', email: 'email' }),
          {
            label: 'Role',
            sort: 'role',
            width: 170,
            text: ({ role }) => inWords(role),
            cell: (member) => (
              <Role member={member} onChange={canManage ? (role) => setRole(member, role) : undefined} />
            ),
          },
          timeColumn<ListedMember>('Joined', ({ joined_at }) => joined_at, { sort: 'joined_at' }),
          removeColumn(removal.ask, ({ name }) => canManage || name === me.name, me.name),
        ]}
      />
      {removal.dialog}
    </Page>
  );
}

/** Whoever leaves has no page here any more. */
function useRemoval() {
  const { org } = useOrgHere();
  const me = useMe();
  const navigate = useNavigate();
  const { mutate, ...removal } = useRemoveMember(org.name);
  return {
    ...removal,
    mutate: ({ name }: ListedMember, { onSuccess }: { onSuccess: () => void }) =>
      mutate(name, {
        onSuccess: () => {
          onSuccess();
          if (name === me.name) void navigate(paths.orgs, { replace: true });
        },
      }),
  };
}

const removeColumn = (
  onRemove: (member: ListedMember) => void,
  canRemove: (member: ListedMember) => boolean,
  me: string,
): Column<ListedMember> =>
  actionsColumn(
    100,
    (member) =>
      canRemove(member) && (
        <RowButton
          onClick={() => onRemove(member)}
          label={member.name === me ? 'Leave the organization' : `Remove ${member.display_name}`}
        >
          {member.name === me ? 'Leave' : 'Remove'}
        </RowButton>
      ),
  );

interface RoleProps {
  member: ListedMember;
  onChange: ((role: OrgRole) => void) | undefined;
}

const Role = ({ member, onChange }: RoleProps) =>
  onChange ? (
    <Choice
      isShort
      words={roleWords}
      value={member.role}
      onChange={onChange}
      aria-label={`Role of ${member.display_name}`}
    />
  ) : (
    <Text size="sm">{inWords(member.role)}</Text>
  );
