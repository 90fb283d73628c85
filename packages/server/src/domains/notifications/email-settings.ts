import { type AppPermission, type EmailEvent, type EmailValue, emailEventNames } from '@mooring/contract';
import type { AppCtx, Ctx, Deps, UserCtx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { forbidden } from '../../kernel/errors.ts';
import { signText, verifyText } from '../../kernel/sealed.ts';
import { appSubject } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import {
  findAppSettings,
  findReader,
  findUserSettings,
  saveAppSettings,
  saveUserSettings,
} from './email-settings.store.ts';
import type { EmailSettingsTable } from './notifications.tables.ts';

type Choices = Partial<Record<EmailEvent, EmailValue>>;
type Settled = Exclude<EmailValue, 'Default'>;

export interface Settings {
  isEnabled: boolean;
  choices: Choices;
}

export interface SettingsChange {
  enabled?: boolean;
  settings?: { event_type: EmailEvent; value: EmailValue }[];
}

const PURPOSE = 'notifications';

/** What somebody must act on is told to whoever manages the app, unless they say otherwise; the rest to whoever asks. */
const urgent: readonly EmailEvent[] = [
  'export_exportFailed',
  'token_appTokenExpiring',
  'alert_alertStarted',
  'alert_alertEnded',
];
export const defaultValue = (event: EmailEvent, permission: AppPermission): Settled =>
  urgent.includes(event) && permission === 'manager' ? 'Individual' : 'Disabled';

const toSettings = (row: Pick<EmailSettingsTable, 'is_enabled' | 'choices'> | undefined): Settings => ({
  isEnabled: row?.is_enabled !== 0,
  choices: row ? JSON.parse(row.choices) : {},
});

const readUserSettings = async ({ db }: Pick<Ctx, 'db'>, userId: string): Promise<Settings> =>
  toSettings(await findUserSettings.first(db, { userId }));

const readAppSettings = async ({ db }: Pick<Ctx, 'db'>, appId: string, userId: string): Promise<Settings> =>
  toSettings(await findAppSettings.first(db, { appId, userId }));

/** What an app's `Default` comes to. */
const inherited = (user: Settings, event: EmailEvent, permission: AppPermission): Settled => {
  const chosen = user.choices[event] ?? 'Default';
  return chosen === 'Default' ? defaultValue(event, permission) : chosen;
};

/** How somebody is told of an event of an app, if at all. */
export async function valueFor(
  ctx: Pick<Ctx, 'db'>,
  { appId, userId, permission }: { appId: string; userId: string; permission: AppPermission },
  event: EmailEvent,
): Promise<Settled> {
  const user = await readUserSettings(ctx, userId);
  const app = await readAppSettings(ctx, appId, userId);
  if (!user.isEnabled || !app.isEnabled) return 'Disabled';
  const chosen = app.choices[event] ?? 'Default';
  return chosen === 'Default' ? inherited(user, event, permission) : chosen;
}

export interface ShownSettings {
  isEnabled: boolean;
  isUserEnabled: boolean;
  settings: { event_type: EmailEvent; value: EmailValue; default_value: Settled }[];
}

function show(of: Settings, user: Settings, fallback: (event: EmailEvent) => Settled): ShownSettings {
  const settings = emailEventNames.map((event_type) => ({
    event_type,
    value: of.choices[event_type] ?? ('Default' as const),
    default_value: fallback(event_type),
  }));
  return { isEnabled: of.isEnabled, isUserEnabled: user.isEnabled, settings };
}

export async function getUserSettings(ctx: UserCtx): Promise<ShownSettings> {
  const user = await readUserSettings(ctx, ctx.actor.user.id);
  return show(user, user, (event) => defaultValue(event, 'manager'));
}

type PersonInApp = AppCtx & UserCtx;

export async function getAppSettings(ctx: PersonInApp): Promise<ShownSettings> {
  const userId = ctx.actor.user.id;
  const user = await readUserSettings(ctx, userId);
  const app = await readAppSettings(ctx, ctx.app.id, userId);
  return show(app, user, (event) => inherited(user, event, ctx.permission));
}

function changed(before: Settings, { enabled, settings = [] }: SettingsChange) {
  const choices = { ...before.choices, ...Object.fromEntries(settings.map((one) => [one.event_type, one.value])) };
  const kept = Object.entries(choices).filter(([, value]) => value !== 'Default');
  return {
    is_enabled: (enabled ?? before.isEnabled) ? (1 as const) : (0 as const),
    choices: JSON.stringify(Object.fromEntries(kept)),
  };
}

export const updateUserSettings = (ctx: UserCtx, change: SettingsChange): Promise<ShownSettings> =>
  tx(ctx, async (ctx) => {
    const { id, name } = ctx.actor.user;
    const after = changed(await readUserSettings(ctx, id), change);
    await saveUserSettings.run(ctx.db, { user_id: id, ...after });
    await record(ctx, 'email_settings.update', { kind: 'user', id, name }, { after });
    return getUserSettings(ctx);
  });

export const updateAppSettings = (ctx: PersonInApp, change: SettingsChange): Promise<ShownSettings> =>
  tx(ctx, async (ctx) => {
    const userId = ctx.actor.user.id;
    const after = changed(await readAppSettings(ctx, ctx.app.id, userId), change);
    await saveAppSettings.run(ctx.db, { app_id: ctx.app.id, user_id: userId, ...after });
    await record(ctx, 'email_settings.update', appSubject(ctx.app), { after });
    return getAppSettings(ctx);
  });

/** Works as long as the mail is kept: whoever finds it can end the mails, and nothing else. */
export const unsubscribeUrl = (ctx: Deps, userId: string): string =>
  `${ctx.publicUrl()}/v0.1/public/notifications/unsubscribe?token=${userId}.${signText(ctx.secretKey, PURPOSE, userId)}`;

export const unsubscribe = (ctx: Ctx, token: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const [userId = '', signature = ''] = token.split('.');
    if (!verifyText(ctx.secretKey, PURPOSE, userId, signature)) {
      throw forbidden('This link is none of this server; switch the mails off in your account.');
    }
    // Whoever is gone gets none anyway.
    if (!(await findReader.first(ctx.db, { userId }))) return;
    const after = changed(await readUserSettings(ctx, userId), { enabled: false });
    await saveUserSettings.run(ctx.db, { user_id: userId, ...after });
    await record(ctx, 'email_settings.update', { kind: 'user', id: userId }, { after });
  });
