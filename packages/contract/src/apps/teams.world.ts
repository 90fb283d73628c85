import type { World } from '../world/world.ts';
import { teams_addApp, teams_addUser, teams_createTeam } from './teams.contract.ts';

export async function addTeam({ ada, grace }: World): Promise<void> {
  const params = { org_name: 'lighthouse', team_name: 'pilots' };
  const body = { name: 'pilots', display_name: 'Pilots', description: 'They steer.' };
  await ada.call(teams_createTeam, { params: { org_name: 'lighthouse' }, body });
  await ada.call(teams_addUser, { params, body: { user_email: grace.email } });
  await ada.call(teams_addApp, { params, body: { name: 'compass' } });
}
