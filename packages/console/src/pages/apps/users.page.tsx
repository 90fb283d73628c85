import {
  appInvitations_create,
  appInvitations_list,
  apps_removeUser,
  apps_updateUserPermissions,
  type GrantablePermission,
} from '@mooring/contract';
import { IconUsers } from '@tabler/icons-react';
import { useState } from 'react';
import { appInvitations } from '../../api/account/invitations.ts';
import { type AppAccess, useAppAccess, useSetPermission } from '../../api/apps.ts';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { Failure } from '../../components/feedback/failure.tsx';
import { toast } from '../../components/feedback/toasts.ts';
import { LabeledSelect } from '../../components/forms/labeled-select.tsx';
import { Page } from '../../components/layout/page.tsx';
import { TabPanels } from '../../components/layout/tab-panels.tsx';
import { actionsColumn, userColumns } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { RowButton } from '../../components/tables/row-button.tsx';
import { useListQuery } from '../../components/tables/table-state.ts';
import { formatRole, permissionLabels } from '../../components/text/role-labels.ts';
import { useCurrentApp } from '../../context/permissions.ts';
import { InvitationList } from '../invitations/invitation-list.tsx';
import { InviteButton } from '../invitations/invite-dialog.tsx';
import { canChange, directRole, formatAccess } from './access.ts';
import { AppTeams } from './app-teams.tsx';
import { RemoveMember } from './remove-member.tsx';

export default function AppUsersPage() {
  const { app, appRef, can } = useCurrentApp();
  const invitations = appInvitations(appRef);
  return (
    <Page
      title="Members"
      description="Everyone with access to this app. If someone has several roles, the highest one counts."
      actions={
        can(appInvitations_create) && (
          <InviteButton invitations={invitations} labels={permissionLabels} first="developer" />
        )
      }
    >
      <TabPanels
        label="Members"
        tabs={[
          { name: '', label: 'People', panel: <People /> },
          ...(app.owner.type === 'org' ? [{ name: 'teams', label: 'Teams', panel: <AppTeams /> }] : []),
          ...(can(appInvitations_list)
            ? [
                {
                  name: 'invitations',
                  label: 'Invitations',
                  panel: <InvitationList invitations={invitations} labels={permissionLabels} />,
                },
              ]
            : []),
        ]}
      />
    </Page>
  );
}

function People() {
  const { appRef, can } = useCurrentApp();
  const people = useAppAccess(appRef, useListQuery(['display_name', 'email', 'permission']));
  const change = useSetPermission(appRef);
  const [removed, setRemoved] = useState<AppAccess>();
  const setRole =
    ({ email, display_name }: AppAccess, before: GrantablePermission) =>
    (permission: GrantablePermission) =>
      change.mutate(
        { email, permission },
        {
          onSuccess: () =>
            toast(`${display_name} is now ${formatRole(permission)}.`, () =>
              change.mutate({ email, permission: before }),
            ),
        },
      );
  return (
    <>
      {change.error && <Failure error={change.error} title="Couldn't change the role" />}
      <DataTable
        id="apps-users"
        label="Members"
        query={people}
        rowKey={({ id }) => id}
        search="Search members"
        isServers
        empty={<EmptyState icon={<IconUsers size={32} aria-hidden />}>No members</EmptyState>}
        columns={[
          ...userColumns<AppAccess>((person) => person, { name: 'display_name', email: 'email' }),
          {
            id: 'permission',
            label: 'Role',
            width: 170,
            sort: 'permission',
            text: ({ permission }) => formatRole(permission),
            cell: (person) => {
              const role = directRole(person);
              if (!role || role === 'tester' || !canChange(person) || !can(apps_updateUserPermissions)) {
                return formatRole(person.permission);
              }
              return (
                <LabeledSelect
                  isShort
                  labels={permissionLabels}
                  value={role}
                  onChange={setRole(person, role)}
                  aria-label={`Role of ${person.display_name}`}
                />
              );
            },
          },
          { id: 'access_via', label: 'Access via', text: formatAccess, cell: formatAccess },
          ...(can(apps_removeUser)
            ? [
                actionsColumn<AppAccess>(
                  100,
                  (person) =>
                    canChange(person) && (
                      <RowButton onClick={() => setRemoved(person)} label={`Remove ${person.display_name}`}>
                        Remove
                      </RowButton>
                    ),
                ),
              ]
            : []),
        ]}
      />
      {removed && <RemoveMember person={removed} onClose={() => setRemoved(undefined)} />}
    </>
  );
}
