import { type Fixtures, putId } from '../fixtures/fixtures.ts';
import { adminFactorRule_set, orgFactorRule_set } from './factor-rules.contract.ts';
import {
  adminGroupMappings_create,
  adminGroupMappings_delete,
  adminGroupMappings_list,
} from './group-mappings.contract.ts';
import { adminIdentityProviders_create, adminIdentityProviders_list } from './identity-providers.contract.ts';
import { adminSignInLinks_create, adminSignInLinks_list } from './sign-in.contract.ts';
import {
  exampleProvider,
  groupMappingsExamples,
  identityProvidersExamples,
  signInExamples,
  signInRulesExamples,
} from './sign-in.examples.ts';
import { adminSignInRule_set, orgSignInRule_set } from './sign-in-rules.contract.ts';

const former = identityProvidersExamples.adminIdentityProviders_delete.params.provider_name;

/** The providers that the examples show, rules for one that apply to no one yet, and Grace's link to it. */
export async function addIdentityProvider(fixtures: Fixtures): Promise<void> {
  const { ada, grace } = fixtures;
  const { name, display_name, issuer, client_id, allowed_domains, creates_accounts } = exampleProvider;
  const existing = await ada.call(adminIdentityProviders_list);
  if (!existing.some((provider) => provider.name === name)) {
    const body = { name, display_name, issuer, client_id, client_secret: 'secret', allowed_domains, creates_accounts };
    await ada.call(adminIdentityProviders_create, { body });
  }
  if (!existing.some((provider) => provider.name === former)) {
    const body = { name: former, display_name: 'Former', issuer: 'https://login.former.example.com', client_id };
    await ada.call(adminIdentityProviders_create, { body });
  }
  const mappingParams = { provider_name: name };
  const [mapped] = await ada.call(adminGroupMappings_list, { params: mappingParams });
  const { id } = mapped ?? (await ada.call(adminGroupMappings_create, groupMappingsExamples.adminGroupMappings_create));
  putId(fixtures, adminGroupMappings_delete, 'mapping_id', id);
  const factorRule = { body: { grace_days: 90 } };
  await ada.call(adminFactorRule_set, factorRule);
  await ada.call(orgFactorRule_set, { params: signInRulesExamples.orgSignInRule_set.params, ...factorRule });
  await ada.call(adminSignInRule_set, signInRulesExamples.adminSignInRule_set);
  await ada.call(orgSignInRule_set, signInRulesExamples.orgSignInRule_set);
  const params = { user_id: grace.id };
  if ((await ada.call(adminSignInLinks_list, { params })).length > 0) return;
  const [{ subject }] = signInExamples.adminSignInLinks_list.response;
  await ada.call(adminSignInLinks_create, { params, body: { provider: name, subject } });
}
