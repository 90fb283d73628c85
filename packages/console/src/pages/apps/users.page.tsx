import {
  appInvitations_create,
  appInvitations_list,
  apps_removeUser,
  apps_updateUserPermissions,
  type GivenPermission,
} from '@mooring/contract';
import { IconUsers } from '@tabler/icons-react';
import { useState } from 'react';
import { type AppAccess, useAppAccess, useSetPermission } from '../../api/apps.ts';
import { appInvitations } from '../../api/invitations.ts';
import { Choice } from '../../parts/choice.tsx';
import { actionsColumn, personColumns } from '../../parts/columns.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Page } from '../../parts/page.tsx';
import { inWords, permissionWords } from '../../parts/role-words.ts';
import { RowButton } from '../../parts/row-button.tsx';
import { SectionTabs } from '../../parts/section-tabs.tsx';
import { useListQuery } from '../../parts/table-state.ts';
import { toast } from '../../parts/toasts.ts';
import { InvitationList } from '../invitations/invitation-list.tsx';
import { InviteButton } from '../invitations/invite-dialog.tsx';
import { canChange, directRole, viaInWords } from './access.ts';
import { AppTeams } from './app-teams.tsx';
import { RemoveMember } from './remove-member.tsx';

export default function AppUsersPage() {
  const { app, appRef, may } = useAppHere();
  const invitations = appInvitations(appRef);
  return (
    <Page
      title="Members"
      lead="Who has access, and by what. The highest role counts."
      actions={
        may(appInvitations_create) && (
          <InviteButton invitations={invitations} words={permissionWords} first="developer" />
        )
      }
    >
      <SectionTabs
        label="Members"
        tabs={[
          { name: '', label: 'People', panel: <People /> },
          ...(app.owner.type === 'org' ? [{ name: 'teams', label: 'Teams', panel: <AppTeams /> }] : []),
          ...(may(appInvitations_list)
            ? [
                {
                  name: 'invitations',
                  label: 'Invitations',
                  panel: <InvitationList invitations={invitations} words={permissionWords} />,
                },
              ]
            : []),
        ]}
      />
    </Page>
  );
}

function People() {
  const { appRef, may } = useAppHere();
  const people = useAppAccess(appRef, useListQuery(['display_name', 'email', 'permission']));
  const change = useSetPermission(appRef);
  const [removed, setRemoved] = useState<AppAccess>();
  const setRole =
    ({ email, display_name }: AppAccess, before: GivenPermission) =>
    (permission: GivenPermission) =>
      change.mutate(
        { email, permission },
        {
          onSuccess: () =>
            toast(`${display_name} is now ${inWords(permission)}.`, () => change.mutate({ email, permission: before })),
        },
      );
  return (
    <>
      {change.error && <Failure error={change.error} title="The role stays as it is" />}
      <DataTable
        label="Members"
        reading={people}
        keyOf={({ id }) => id}
        search="Search members"
        isServers
        empty={<Empty icon={<IconUsers size={32} aria-hidden />}>Nobody has access.</Empty>}
        columns={[
          ...personColumns<AppAccess>((person) => person, { name: 'display_name', email: 'email' }),
          {
            label: 'Role',
            width: 170,
            sort: 'permission',
            text: ({ permission }) => inWords(permission),
            cell: (person) => {
              const role = directRole(person);
              if (!role || role === 'tester' || !canChange(person) || !may(apps_updateUserPermissions)) {
                return inWords(person.permission);
              }
              return (
                <Choice
                  isShort
                  words={permissionWords}
                  value={role}
                  onChange={setRole(person, role)}
                  aria-label={`Role of ${person.display_name}`}
                />
              );
            },
          },
          { label: 'Access via', text: viaInWords, cell: viaInWords },
          ...(may(apps_removeUser)
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
