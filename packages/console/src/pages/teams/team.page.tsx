import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { teams_delete, teams_update } from '@mooring/contract';
import { useNavigate, useParams } from 'react-router';
import { type Team, type TeamRef, useDeleteTeam, useRenameTeam, useTeam } from '../../api/organizations/teams.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { useConfirm } from '../../components/dialogs/use-confirm.tsx';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { getBodyRules, needed } from '../../components/forms/field-rules.ts';
import { TextField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { Page } from '../../components/layout/page.tsx';
import { useCurrentOrg } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';
import { TeamApps } from './team-apps.tsx';
import { TeamPeople } from './team-people.tsx';

export default function TeamPage() {
  const { org } = useCurrentOrg();
  const { team: team_name = '' } = useParams();
  const teamRef = { org_name: org.name, team_name };
  const query = useTeam(teamRef);
  return (
    <QueryBoundary query={query} isPage>
      {(team) => <TeamView team={team} teamRef={teamRef} />}
    </QueryBoundary>
  );
}

function TeamView({ team, teamRef }: { team: Team; teamRef: TeamRef }) {
  const { can, params } = useCurrentOrg();
  const navigate = useNavigate();
  const [isRenaming, renaming] = useDisclosure();
  const deletion = useDeleteTeam(teamRef);
  const confirmation = useConfirm<Team>({
    title: ({ display_name }) => `Delete team ${display_name}?`,
    action: 'Delete team',
    consequence: () => 'Members stay in the organization, but immediately lose the access to apps through this team.',
    openDialog: {
      ...deletion,
      mutate: () =>
        deletion.mutate(undefined, { onSuccess: () => navigate(pathTo('orgTeams', params), { replace: true }) }),
    },
  });
  return (
    <Page
      title={team.display_name}
      description={team.description}
      actions={
        <Group gap="sm">
          {can(teams_update) && (
            <Button variant="default" onClick={renaming.open}>
              Rename team
            </Button>
          )}
          {can(teams_delete) && (
            <Button variant="default" onClick={() => confirmation.open(team)}>
              Delete team
            </Button>
          )}
        </Group>
      }
    >
      <TeamPeople teamRef={teamRef} />
      <TeamApps teamRef={teamRef} />
      <Dialog opened={isRenaming} onClose={renaming.close} title="Rename team">
        <RenameTeam team={team} teamRef={teamRef} onClose={renaming.close} />
      </Dialog>
      {confirmation.dialog}
    </Page>
  );
}

function RenameTeam({ team, teamRef, onClose }: { team: Team; teamRef: TeamRef; onClose: () => void }) {
  const rename = useRenameTeam(teamRef);
  return (
    <Form
      action="Save"
      sending={rename}
      onCancel={onClose}
      onSend={(fields) => rename.mutate(fields.text('display_name') ?? '', { onSuccess: onClose })}
    >
      <TextField
        name="display_name"
        label="Display name"
        rule={needed(getBodyRules(teams_update)('display_name'))}
        description="The team's name in its URL stays the same."
        defaultValue={team.display_name}
        data-autofocus
      />
    </Form>
  );
}
