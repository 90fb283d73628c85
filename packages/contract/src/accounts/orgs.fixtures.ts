import type { Fixtures } from '../fixtures/fixtures.ts';
import { picture } from '../fixtures/picture.ts';
import { organization_updateAvatar, organizations_createOrUpdate } from './orgs.contract.ts';

/** Ada administers lighthouse and harbour; Grace administers jetty. */
export async function addOrgs({ ada, grace }: Fixtures): Promise<void> {
  await ada.call(organizations_createOrUpdate, { body: { name: 'lighthouse', display_name: 'Lighthouse Labs' } });
  await ada.call(organizations_createOrUpdate, { body: { name: 'harbour', display_name: 'Harbour' } });
  await grace.call(organizations_createOrUpdate, { body: { name: 'jetty', display_name: 'Jetty' } });
  await ada.call(organization_updateAvatar, { params: { org_name: 'lighthouse' }, file: picture });
}
