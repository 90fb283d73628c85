import type { Fixtures } from '../fixtures/fixtures.ts';
import { teams_addApp, teams_addUser, teams_createTeam } from './teams.contract.ts';

export async function addTeam({ ada, grace }: Fixtures): Promise<void> {
  const params = { org_name: 'lighthouse', team_name: 'pilots' };
  const body = { name: 'pilots', display_name: 'Pilots', description: 'Steer the ships.' };
  await ada.call(teams_createTeam, { params: { org_name: 'lighthouse' }, body });
  await ada.call(teams_addUser, { params, body: { user_email: grace.email } });
  await ada.call(teams_addApp, { params, body: { name: 'compass' } });
}
