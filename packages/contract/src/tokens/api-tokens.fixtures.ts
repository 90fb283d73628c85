import { serviceAccountTokens_create, serviceAccountTokens_delete } from '../accounts/service-accounts.contract.ts';
import { type Fixtures, putId } from '../fixtures/fixtures.ts';
import {
  appApiTokens_create,
  appApiTokens_delete,
  userApiTokens_create,
  userApiTokens_delete,
} from './api-tokens.contract.ts';

/** A token of each kind, which no example uses. */
export async function addTokens(fixtures: Fixtures): Promise<void> {
  const { ada } = fixtures;
  const body = { description: 'nightly build' };
  const app = { owner_name: 'ada', app_name: 'compass' };
  const account = { org_name: 'lighthouse', account_name: 'build-robot' };
  const ofUser = await ada.call(userApiTokens_create, { body });
  const ofApp = await ada.call(appApiTokens_create, { params: app, body });
  const ofAccount = await ada.call(serviceAccountTokens_create, { params: account, body });
  putId(fixtures, userApiTokens_delete, 'api_token_id', ofUser.id);
  putId(fixtures, appApiTokens_delete, 'api_token_id', ofApp.id);
  putId(fixtures, serviceAccountTokens_delete, 'api_token_id', ofAccount.id);
}
