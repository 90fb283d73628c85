import { type Fixtures, putId } from '../fixtures/fixtures.ts';
import {
  notifications_unsubscribe,
  notifications_updateAppEmailSettings,
  notifications_updateUserEmailSettings,
} from './email-settings.contract.ts';
import { emailSettingsExamples } from './email-settings.examples.ts';

/** Ada receives a daily email about new crashes of the app; and the unsubscribe URL of her emails. */
export async function addEmailSettings(fixtures: Fixtures): Promise<void> {
  const { call } = fixtures.ada;
  const { params } = emailSettingsExamples.notifications_updateAppEmailSettings;
  const body = { settings: [{ event_type: 'crash_newCrashGroupCreated' as const, value: 'Daily' as const }] };
  await call(notifications_updateAppEmailSettings, { params, body });
  const { unsubscribe_url } = await call(notifications_updateUserEmailSettings, { body: { enabled: true } });
  putId(fixtures, notifications_unsubscribe, 'token', new URL(unsubscribe_url).searchParams.get('token') ?? '');
}
