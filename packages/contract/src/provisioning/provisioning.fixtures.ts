import { createClient } from '../client.ts';
import { type Fixtures, putId, withHeader } from '../fixtures/fixtures.ts';
import { adminOrgDomains_set, orgScimTokens_create, orgScimTokens_delete } from './provisioning.contract.ts';
import { provisioningExamples } from './provisioning.examples.ts';
import {
  scim_createGroup,
  scim_createUser,
  scim_getGroup,
  scim_getUser,
  scim_listGroups,
  scim_listUsers,
} from './scim.contract.ts';
import { exampleScimGroup, exampleScimUser } from './scim.examples.ts';

/** The key of the SCIM token of lighthouse in the fixtures. */
export const SCIM_TOKEN = 'scim token of lighthouse';

/** A token, a user and a group of the directory of lighthouse. */
export async function addProvisioning(fixtures: Fixtures): Promise<void> {
  const { ada, server, ids } = fixtures;
  const params = { org_name: 'lighthouse' };
  await ada.call(adminOrgDomains_set, provisioningExamples.adminOrgDomains_set);
  const { id } = await ada.call(orgScimTokens_create, { params, body: { description: 'Okta' } });
  putId(fixtures, orgScimTokens_delete, 'scim_token_id', id);
  if (!ids.has(SCIM_TOKEN)) {
    const { scim_token } = await ada.call(orgScimTokens_create, { params, body: { description: 'Entra ID' } });
    ids.set(SCIM_TOKEN, scim_token);
  }
  const token = `Bearer ${ids.get(SCIM_TOKEN)}`;
  const call = createClient({ ...server, fetch: withHeader(server.fetch, 'authorization', token) });
  const { Resources: users } = await call(scim_listUsers, {
    params,
    query: { filter: `userName eq "${exampleScimUser.userName}"` },
  });
  const user = users[0] ?? (await call(scim_createUser, { params, body: exampleScimUser }));
  putId(fixtures, scim_getUser, 'user_id', user.id);
  const { Resources: groups } = await call(scim_listGroups, {
    params,
    query: { filter: `displayName eq "${exampleScimGroup.displayName}"` },
  });
  const body = { ...exampleScimGroup, members: [{ value: user.id }] };
  const group = groups[0] ?? (await call(scim_createGroup, { params, body }));
  putId(fixtures, scim_getGroup, 'group_id', group.id);
}
