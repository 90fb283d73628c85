import { type GivenPermission, teams_addApp, teams_removeApp, teams_updatePermissions } from '@mooring/contract';
import { IconApps } from '@tabler/icons-react';
import { useState } from 'react';
import { useAppsOfOrg } from '../../api/apps.ts';
import {
  type TeamApp,
  type TeamRef,
  useAddTeamApp,
  useRemoveTeamApp,
  useSetTeamPermission,
  useTeamApps,
} from '../../api/teams.ts';
import { AddOne } from '../../parts/add-one.tsx';
import { Choice } from '../../parts/choice.tsx';
import { actionsColumn } from '../../parts/columns.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { useOrgHere } from '../../parts/may.ts';
import { Part } from '../../parts/page.tsx';
import { useQuestion } from '../../parts/question.tsx';
import { inWords, permissionWords } from '../../parts/role-words.ts';
import { RowButton } from '../../parts/row-button.tsx';
import { toast } from '../../parts/toasts.ts';
import { AppName } from '../apps/app-columns.tsx';

export function TeamApps({ teamRef }: { teamRef: TeamRef }) {
  const { org, may } = useOrgHere();
  const apps = useTeamApps(teamRef);
  const all = useAppsOfOrg(org.name).data ?? [];
  const adding = useAddTeamApp(teamRef);
  const [role, setRole] = useState<GivenPermission>('viewer');
  const change = useSetTeamPermission(teamRef);
  const removal = useRemoveTeamApp(teamRef);
  const question = useQuestion<TeamApp>({
    title: ({ display_name }) => `Take ${display_name} from the team?`,
    action: 'Remove',
    loss: ({ display_name }) => `The team's members lose what they could do to ${display_name} by the team.`,
    doing: { ...removal, mutate: ({ name }, options) => removal.mutate(name, options) },
  });
  const inTeam = new Set((apps.data ?? []).map(({ name }) => name));
  return (
    <Part
      title="Apps"
      actions={
        may(teams_addApp) && (
          <AddOne
            label="App to add"
            placeholder="An app of the organization"
            choices={all
              .filter(({ name }) => !inTeam.has(name))
              .map(({ name, display_name, os }) => ({ value: name, label: `${display_name} (${os})` }))}
            adding={{
              ...adding,
              mutate: (app_name, options) => adding.mutate({ app_name, permission: role }, options),
            }}
          >
            <Choice aria-label="Role" words={permissionWords} value={role} onChange={setRole} isShort size="sm" />
          </AddOne>
        )
      }
    >
      {change.error && <Failure error={change.error} title="The role stays as it is" />}
      <DataTable
        label="Apps"
        name="apps"
        reading={apps}
        keyOf={({ id }) => id}
        empty={<Empty icon={<IconApps size={32} aria-hidden />}>The team has no apps that you can see.</Empty>}
        columns={[
          {
            label: 'App',
            text: ({ display_name }) => display_name,
            cell: (app) => <AppName app={app} />,
          },
          { label: 'OS', width: 120, text: ({ os }) => os, cell: ({ os }) => os },
          {
            label: 'Role',
            width: 170,
            text: ({ team_permissions }) => inWords(team_permissions?.[0]),
            cell: (app) => {
              const permission = app.team_permissions?.[0];
              if (!permission || !may(teams_updatePermissions)) return inWords(permission);
              return (
                <Choice
                  isShort
                  words={permissionWords}
                  value={permission}
                  onChange={(chosen) =>
                    change.mutate(
                      { app_name: app.name, permission: chosen },
                      {
                        onSuccess: () =>
                          toast(`The team is now ${inWords(chosen)} on ${app.display_name}.`, () =>
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
          ...(may(teams_removeApp)
            ? [
                actionsColumn<TeamApp>(100, (app) => (
                  <RowButton onClick={() => question.ask(app)} label={`Remove ${app.display_name}`}>
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
