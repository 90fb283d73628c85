import type { Fixtures } from '../fixtures/fixtures.ts';
import { distributionGroups_addUser, distributionGroups_addUsersForOrg } from './group-members.contract.ts';
import {
  distributionGroups_addApps,
  distributionGroups_create,
  distributionGroups_createForOrg,
} from './groups.contract.ts';

const needle = { owner_name: 'ada', app_name: 'compass' };
const compass = { owner_name: 'lighthouse', app_name: 'compass' };
const sextant = { owner_name: 'grace', app_name: 'sextant' };

/** Groups of three apps, and one shared by apps of an organization. Some testers have not accepted yet. */
export async function addGroups({ ada, grace }: Fixtures): Promise<void> {
  const name = 'Beta divers';
  const divers = { distribution_group_name: name };
  const testers = { user_emails: [grace.email, 'new@example.com'] };
  await ada.call(distributionGroups_create, { params: needle, body: { name } });
  await ada.call(distributionGroups_addUser, { params: { ...needle, ...divers }, body: testers });
  // A shared group can't have the name of a group of one of its apps.
  const crew = { ...compass, distribution_group_name: 'Shore crew' };
  await ada.call(distributionGroups_create, { params: compass, body: { name: 'Shore crew' } });
  await ada.call(distributionGroups_addUser, { params: crew, body: testers });
  await grace.call(distributionGroups_create, { params: sextant, body: { name } });
  await grace.call(distributionGroups_addUser, {
    params: { ...sextant, ...divers },
    body: { user_emails: [ada.email] },
  });
  const lighthouse = { org_name: 'lighthouse' };
  const params = { ...lighthouse, ...divers };
  await ada.call(distributionGroups_createForOrg, { params: lighthouse, body: { name } });
  await ada.call(distributionGroups_addUsersForOrg, { params, body: testers });
  await ada.call(distributionGroups_addApps, { params, body: { apps: [{ name: 'compass' }] } });
}
