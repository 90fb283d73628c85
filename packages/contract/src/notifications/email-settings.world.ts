import { putId, type World } from '../world/world.ts';
import {
  notifications_unsubscribe,
  notifications_updateAppEmailSettings,
  notifications_updateUserEmailSettings,
} from './email-settings.contract.ts';
import { emailSettingsExamples } from './email-settings.examples.ts';

/** Ada gets a mail a day about new crashes of the app; and where a mail program ends her mails. */
export async function addEmailSettings(world: World): Promise<void> {
  const { call } = world.ada;
  const { params } = emailSettingsExamples.notifications_updateAppEmailSettings;
  const body = { settings: [{ event_type: 'crash_newCrashGroupCreated' as const, value: 'Daily' as const }] };
  await call(notifications_updateAppEmailSettings, { params, body });
  const { unsubscribe_url } = await call(notifications_updateUserEmailSettings, { body: { enabled: true } });
  putId(world, notifications_unsubscribe, 'token', new URL(unsubscribe_url).searchParams.get('token') ?? '');
}
