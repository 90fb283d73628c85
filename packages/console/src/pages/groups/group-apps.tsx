import { distributionGroups_addApps } from '@mooring/contract';
import { IconApps } from '@tabler/icons-react';
import { useOrgApps } from '../../api/apps.ts';
import { type GroupApp, useAddGroupApp, useDropGroupApp, useGroupApps } from '../../api/organizations/groups.ts';
import { useConfirm } from '../../components/dialogs/use-confirm.tsx';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { AddOne } from '../../components/forms/add-one.tsx';
import { Section } from '../../components/layout/page.tsx';
import { actionsColumn } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { RowButton } from '../../components/tables/row-button.tsx';
import { NameLink } from '../../components/text/links.tsx';
import { useCurrentOrg } from '../../context/permissions.ts';
import { appPath } from '../../paths.ts';

/** Apps of a shared group. */
export function GroupApps({ group }: { group: string }) {
  const { org, can } = useCurrentOrg();
  const apps = useGroupApps(org.name, group);
  const all = useOrgApps(org.name).data ?? [];
  const adding = useAddGroupApp(org.name, group);
  const confirmation = useConfirm<GroupApp>({
    title: ({ display_name }) => `Remove app ${display_name} from the group?`,
    action: 'Remove app',
    consequence: ({ display_name }) =>
      `Members of this group lose their tester access to ${display_name}, unless they are in another group of the app.`,
    openDialog: useDropGroupApp(org.name, group),
  });
  const inGroup = new Set((apps.data ?? []).map(({ name }) => name));
  const canChange = can(distributionGroups_addApps);
  return (
    <Section
      title="Apps"
      description="Members of this group are testers of these apps."
      actions={
        canChange && (
          <AddOne
            label="App to add"
            placeholder="Choose an app"
            choices={all
              .filter(({ name }) => !inGroup.has(name))
              .map(({ name, display_name, os }) => ({ value: name, label: `${display_name} (${os})` }))}
            adding={adding}
          />
        )
      }
    >
      <DataTable
        id="group-apps"
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
            cell: (app) => <NameLink to={appPath(app)}>{app.display_name}</NameLink>,
          },
          { id: 'os', label: 'OS', width: 120, text: ({ os }) => os, cell: ({ os }) => os },
          ...(canChange
            ? [
                actionsColumn<GroupApp>(100, (app) => (
                  <RowButton label={`Remove ${app.display_name}`} onClick={() => confirmation.open(app)}>
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
