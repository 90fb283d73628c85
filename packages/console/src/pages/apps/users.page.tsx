import { Text } from '@mantine/core';
import {
  appInvitations_create,
  appInvitations_list,
  apps_removeUser,
  apps_updateUserPermissions,
  type GivenPermission,
} from '@mooring/contract';
import { IconUsers } from '@tabler/icons-react';
import { type AppUser, useAppUsers, useRemoveAppUser, useSetPermission } from '../../api/apps.ts';
import { appInvitations } from '../../api/invitations.ts';
import { Choice, inWords, permissionWords } from '../../parts/choice.tsx';
import { actionsColumn, personColumns } from '../../parts/columns.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Page, Part } from '../../parts/page.tsx';
import { useQuestion } from '../../parts/question.tsx';
import { RowButton } from '../../parts/row-button.tsx';
import { InvitationList } from '../invitations/invitation-list.tsx';
import { InviteButton } from '../invitations/invite-dialog.tsx';
import { AppTeams } from './app-teams.tsx';

export default function AppUsersPage() {
  const { app, address, may } = useAppHere();
  const users = useAppUsers(address);
  const change = useSetPermission(address);
  const removal = useQuestion<AppUser>({
    title: ({ display_name }) => `Remove ${display_name}?`,
    action: 'Remove',
    loss: ({ display_name }) =>
      `${display_name} can no longer see or change ${app.display_name}, from the next request on. App tokens that they made go on working.`,
    doing: useRemoveByEmail(),
  });
  const invitations = appInvitations(address);
  return (
    <Page
      title="Members"
      lead="Who has access: by invitation, by a team, or as an admin of the organization. The highest permission counts."
      actions={
        may(appInvitations_create) && (
          <InviteButton invitations={invitations} words={permissionWords} first="developer" />
        )
      }
    >
      {change.error && <Failure error={change.error} title="The role stays as it is" />}
      <DataTable
        label="Users"
        reading={users}
        keyOf={({ id }) => id}
        search="Search members"
        empty={<Empty icon={<IconUsers size={32} aria-hidden />}>Nobody has access.</Empty>}
        columns={[
          ...personColumns<AppUser>((user) => user),
          {
            label: 'Role',
            width: 170,
            text: ({ permissions }) => inWords(permissions?.[0]),
            cell: (user) => (
              <Permission
                user={user}
                onChange={
                  may(apps_updateUserPermissions)
                    ? (permission) => change.mutate({ email: user.email, permission })
                    : undefined
                }
              />
            ),
          },
          ...(may(apps_removeUser)
            ? [
                actionsColumn<AppUser>(100, (user) => (
                  <RowButton onClick={() => removal.ask(user)} label={`Remove ${user.display_name}`}>
                    Remove
                  </RowButton>
                )),
              ]
            : []),
        ]}
      />
      {app.owner.type === 'org' && <AppTeams />}
      {may(appInvitations_list) && (
        <Part title="Open invitations" lead="Sent, and not answered yet.">
          <InvitationList invitations={invitations} words={permissionWords} />
        </Part>
      )}
      {removal.dialog}
    </Page>
  );
}

/** People are told apart by their e-mail here. */
function useRemoveByEmail() {
  const { address } = useAppHere();
  const { mutate, ...removal } = useRemoveAppUser(address);
  return {
    ...removal,
    mutate: (user: AppUser, options: { onSuccess: () => void }) => mutate(user.email, options),
  };
}

interface PermissionProps {
  user: AppUser;
  onChange: ((permission: GivenPermission) => void) | undefined;
}

function Permission({ user, onChange }: PermissionProps) {
  const has = user.permissions?.[0];
  if (!onChange || !has || has === 'tester') return <Text size="sm">{inWords(has)}</Text>;
  return (
    <Choice
      isShort
      words={permissionWords}
      value={has}
      onChange={onChange}
      aria-label={`Role of ${user.display_name}`}
    />
  );
}
