import { distributionGroups_addApps } from '@mooring/contract';
import { IconApps } from '@tabler/icons-react';
import { useAppsOfOrg } from '../../api/apps.ts';
import { type GroupApp, useAddGroupApp, useDropGroupApp, useGroupApps } from '../../api/groups.ts';
import { AddOne } from '../../parts/add-one.tsx';
import { actionsColumn } from '../../parts/columns.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { NameLink } from '../../parts/links.tsx';
import { useOrgHere } from '../../parts/may.ts';
import { Part } from '../../parts/page.tsx';
import { useQuestion } from '../../parts/question.tsx';
import { RowButton } from '../../parts/row-button.tsx';
import { appPath } from '../../paths.ts';

/** The apps whose testers the members of a shared group are. */
export function GroupApps({ group }: { group: string }) {
  const { org, may } = useOrgHere();
  const apps = useGroupApps(org.name, group);
  const all = useAppsOfOrg(org.name).data ?? [];
  const adding = useAddGroupApp(org.name, group);
  const question = useQuestion<GroupApp>({
    title: ({ display_name }) => `Take ${display_name} from the group?`,
    action: 'Remove',
    loss: ({ display_name }) => `The group's members can no longer test ${display_name} by it.`,
    doing: useDropGroupApp(org.name, group),
  });
  const inGroup = new Set((apps.data ?? []).map(({ name }) => name));
  const canChange = may(distributionGroups_addApps);
  return (
    <Part
      title="Apps"
      lead="Its members are testers of these."
      actions={
        canChange && (
          <AddOne
            label="App to add"
            placeholder="An app of the organization"
            choices={all
              .filter(({ name }) => !inGroup.has(name))
              .map(({ name, display_name, os }) => ({ value: name, label: `${display_name} (${os})` }))}
            adding={adding}
          />
        )
      }
    >
      <DataTable
        label="Apps"
        name="apps"
        reading={apps}
        keyOf={({ id }) => id}
        empty={<Empty icon={<IconApps size={32} aria-hidden />}>The group has no apps that you can see.</Empty>}
        columns={[
          {
            label: 'App',
            text: ({ display_name }) => display_name,
            cell: (app) => <NameLink to={appPath(app)}>{app.display_name}</NameLink>,
          },
          { label: 'OS', width: 120, text: ({ os }) => os, cell: ({ os }) => os },
          ...(canChange
            ? [
                actionsColumn<GroupApp>(100, (app) => (
                  <RowButton label={`Remove ${app.display_name}`} onClick={() => question.ask(app)}>
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
