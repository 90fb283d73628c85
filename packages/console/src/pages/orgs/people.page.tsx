import { Text } from '@mantine/core';
import { type OrgRole, orgInvitations_create, orgRoles, users_updateOrgRole } from '@mooring/contract';
import { IconUsers } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { orgInvitations } from '../../api/account/invitations.ts';
import { type ListedMember, useMemberPages, useRemoveMember, useSetRole } from '../../api/organizations/orgs.ts';
import { useConfirm } from '../../components/dialogs/use-confirm.tsx';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { Failure } from '../../components/feedback/failure.tsx';
import { toast } from '../../components/feedback/toasts.ts';
import { useFilters } from '../../components/filters/filters.tsx';
import { LabeledSelect } from '../../components/forms/labeled-select.tsx';
import { Page } from '../../components/layout/page.tsx';
import { actionsColumn, timeColumn, userColumns } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { RowButton } from '../../components/tables/row-button.tsx';
import type { Column } from '../../components/tables/table.ts';
import { useListQuery } from '../../components/tables/table-state.ts';
import { formatRole, roleLabels } from '../../components/text/role-labels.ts';
import { useCurrentUser } from '../../context/current-user.ts';
import { useCurrentOrg } from '../../context/permissions.ts';
import { paths } from '../../paths.ts';
import { InviteButton } from '../invitations/invite-dialog.tsx';

const roles = orgRoles.map((role) => ({ value: role, label: formatRole(role) }));

export default function OrgPeoplePage() {
  const { org, can } = useCurrentOrg();
  const me = useCurrentUser();
  const { values, bar } = useFilters([{ name: 'role', label: 'Role', kind: 'choice', choices: roles }]);
  const members = useMemberPages(org.name, {
    ...useListQuery(['display_name', 'email', 'role', 'joined_at']),
    role: orgRoles.find((role) => role === values.role),
  });
  const change = useSetRole(org.name);
  const canManage = can(users_updateOrgRole);
  const setRole = ({ name, display_name, role: before }: ListedMember, role: OrgRole) =>
    change.mutate(
      { name, role },
      {
        onSuccess: () =>
          toast(`${display_name} is now ${formatRole(role)}.`, () => change.mutate({ name, role: before })),
      },
    );
  const removal = useConfirm<ListedMember>({
    title: ({ name, display_name }) =>
      name === me.name ? `Leave organization ${org.display_name}?` : `Remove member ${display_name}?`,
    action: ({ name }) => (name === me.name ? 'Leave organization' : 'Remove member'),
    consequence: ({ name, display_name }) =>
      `${name === me.name ? 'You immediately lose' : `${display_name} immediately loses`} access to the organization, its teams and all its apps.`,
    openDialog: useRemoval(),
  });
  return (
    <Page
      title="People"
      description="Admins manage everything. Collaborators create apps. Members use the apps shared with them."
      actions={
        can(orgInvitations_create) && (
          <InviteButton invitations={orgInvitations(org.name)} labels={roleLabels} first="collaborator" />
        )
      }
    >
      {change.error && <Failure error={change.error} title="Couldn't change the role" />}
      <DataTable
        id="orgs-people"
        label="People"
        search="Search people"
        filters={bar}
        isServers
        query={members}
        rowKey={({ name }) => name}
        empty={<EmptyState icon={<IconUsers size={32} aria-hidden />}>No members</EmptyState>}
        columns={[
          ...userColumns<ListedMember>((member) => member, { name: 'display_name', email: 'email' }),
          {
            id: 'role',
            label: 'Role',
            sort: 'role',
            width: 170,
            text: ({ role }) => formatRole(role),
            cell: (member) => (
              <Role member={member} onChange={canManage ? (role) => setRole(member, role) : undefined} />
            ),
          },
          timeColumn<ListedMember>('joined_at', 'Joined', ({ joined_at }) => joined_at, { sort: 'joined_at' }),
          removeColumn(removal.open, ({ name }) => canManage || name === me.name, me.name),
        ]}
      />
      {removal.dialog}
    </Page>
  );
}

/** Users who leave lose access to this page. */
function useRemoval() {
  const { org } = useCurrentOrg();
  const me = useCurrentUser();
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
          label={member.name === me ? 'Leave organization' : `Remove ${member.display_name}`}
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
    <LabeledSelect
      isShort
      labels={roleLabels}
      value={member.role}
      onChange={onChange}
      aria-label={`Role of ${member.display_name}`}
    />
  ) : (
    <Text size="sm">{formatRole(member.role)}</Text>
  );
