import { type GrantablePermission, teams_addApp, teams_removeApp, teams_updatePermissions } from '@mooring/contract';
import { IconApps } from '@tabler/icons-react';
import { useState } from 'react';
import { useOrgApps } from '../../api/apps.ts';
import {
  type TeamApp,
  type TeamRef,
  useAddTeamApp,
  useRemoveTeamApp,
  useSetTeamPermission,
  useTeamApps,
} from '../../api/organizations/teams.ts';
import { useConfirm } from '../../components/dialogs/use-confirm.tsx';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { Failure } from '../../components/feedback/failure.tsx';
import { toast } from '../../components/feedback/toasts.ts';
import { AddOne } from '../../components/forms/add-one.tsx';
import { LabeledSelect } from '../../components/forms/labeled-select.tsx';
import { Section } from '../../components/layout/page.tsx';
import { actionsColumn } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { RowButton } from '../../components/tables/row-button.tsx';
import { formatRole, permissionLabels } from '../../components/text/role-labels.ts';
import { useCurrentOrg } from '../../context/permissions.ts';
import { AppName } from '../apps/app-columns.tsx';

export function TeamApps({ teamRef }: { teamRef: TeamRef }) {
  const { org, can } = useCurrentOrg();
  const apps = useTeamApps(teamRef);
  const all = useOrgApps(org.name).data ?? [];
  const adding = useAddTeamApp(teamRef);
  const [role, setRole] = useState<GrantablePermission>('viewer');
  const change = useSetTeamPermission(teamRef);
  const removal = useRemoveTeamApp(teamRef);
  const confirmation = useConfirm<TeamApp>({
    title: ({ display_name }) => `Remove app ${display_name} from the team?`,
    action: 'Remove app',
    consequence: ({ display_name }) => `Team members lose the access to ${display_name} they have through this team.`,
    openDialog: { ...removal, mutate: ({ name }, options) => removal.mutate(name, options) },
  });
  const inTeam = new Set((apps.data ?? []).map(({ name }) => name));
  return (
    <Section
      title="Apps"
      actions={
        can(teams_addApp) && (
          <AddOne
            label="App to add"
            placeholder="Choose an app"
            choices={all
              .filter(({ name }) => !inTeam.has(name))
              .map(({ name, display_name, os }) => ({ value: name, label: `${display_name} (${os})` }))}
            adding={{
              ...adding,
              mutate: (app_name, options) => adding.mutate({ app_name, permission: role }, options),
            }}
          >
            <LabeledSelect
              aria-label="Role"
              labels={permissionLabels}
              value={role}
              onChange={setRole}
              isShort
              size="sm"
            />
          </AddOne>
        )
      }
    >
      {change.error && <Failure error={change.error} title="Couldn't change the role" />}
      <DataTable
        id="team-apps"
        label="Apps"
        name="apps"
        query={apps}
        rowKey={({ id }) => id}
        empty={<EmptyState icon={<IconApps size={32} aria-hidden />}>No apps</EmptyState>}
        columns={[
          {
            id: 'app',
            label: 'App',
            text: ({ display_name }) => display_name,
            cell: (app) => <AppName app={app} />,
          },
          { id: 'os', label: 'OS', width: 120, text: ({ os }) => os, cell: ({ os }) => os },
          {
            id: 'role',
            label: 'Role',
            width: 170,
            text: ({ team_permissions }) => formatRole(team_permissions?.[0]),
            cell: (app) => {
              const permission = app.team_permissions?.[0];
              if (!permission || !can(teams_updatePermissions)) return formatRole(permission);
              return (
                <LabeledSelect
                  isShort
                  labels={permissionLabels}
                  value={permission}
                  onChange={(chosen) =>
                    change.mutate(
                      { app_name: app.name, permission: chosen },
                      {
                        onSuccess: () =>
                          toast(`The team is now ${formatRole(chosen)} on ${app.display_name}.`, () =>
                            change.mutate({ app_name: app.name, permission }),
                          ),
                      },
                    )
                  }
                  aria-label={`Role on ${app.display_name}`}
                />
              );
            },
          },
          ...(can(teams_removeApp)
            ? [
                actionsColumn<TeamApp>(100, (app) => (
                  <RowButton onClick={() => confirmation.open(app)} label={`Remove ${app.display_name}`}>
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
