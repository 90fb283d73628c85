import { type Fixtures, putId } from '../fixtures/fixtures.ts';
import { envelopes_send } from '../ingest/envelopes.contract.ts';
import {
  sentry_get,
  sentryKeys_create,
  sentryKeys_delete,
  sentryKeys_list,
  sentryKeys_update,
} from './sdk-keys.contract.ts';
import { sdkKeysExamples } from './sdk-keys.examples.ts';

/** A key to change, which other examples send, and one to revoke. */
export async function addSdkKeys(fixtures: Fixtures): Promise<void> {
  const { params } = sdkKeysExamples.sentryKeys_list;
  const { ada } = fixtures;
  const { values } = await ada.call(sentryKeys_list, { params });
  const find = async (name: string) =>
    values.find((key) => key.name === name) ?? (await ada.call(sentryKeys_create, { params, body: { name } }));
  const old = await find('Old');
  const current = await find('Default');
  putId(fixtures, sentryKeys_update, 'public_key', current.public_key);
  putId(fixtures, sentryKeys_delete, 'public_key', old.public_key);
  const { project_id } = await ada.call(sentry_get, { params });
  putId(fixtures, envelopes_send, 'project_id', String(project_id));
}
