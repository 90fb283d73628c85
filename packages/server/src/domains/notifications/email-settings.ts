import { type AppPermission, atLeast, type EmailEvent, type EmailValue, emailEventNames } from '@mooring/contract';
import type { AppCtx, Ctx, UserCtx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { conflict } from '../../kernel/errors.ts';
import { jsonCodec, objectOutline } from '../../kernel/text/json-codec.ts';
import { isServiceAddress } from '../accounts/index.ts';
import { appSubject, getAppRef, listAppUsers } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import { MAILS_BEFORE_TEST, refuseCrowdedRecipient, sendMail, unsubscribeLinks } from '../mail/index.ts';
import { testMail } from './announcement-mail.ts';
import {
  findAppSettings,
  findReader,
  findUserSettings,
  listAppSettings,
  listMailableUsers,
  type StoredSettings,
  saveAppSettings,
  saveUserSettings,
} from './email-settings.store.ts';

const choicesCodec = jsonCodec('email_settings.choices', objectOutline<Choices>());

type Choices = Partial<Record<EmailEvent, EmailValue>>;
type EffectiveValue = Exclude<EmailValue, 'Default'>;

export interface Settings {
  isEnabled: boolean;
  choices: Choices;
}

export interface SettingsChange {
  enabled?: boolean;
  settings?: { event_type: EmailEvent; value: EmailValue }[];
}

const links = unsubscribeLinks('notifications', '/v0.1/public/notifications/unsubscribe');

/** Events that need action, with the lowest permission of users who receive them by default; all others are opt-in. */
const sentByDefault: Partial<Record<EmailEvent, AppPermission>> = {
  crash_newCrashGroupCreated: 'developer',
  crash_crashGroupRegressed: 'developer',
  codepush_codePushHalted: 'manager',
  export_exportFailed: 'manager',
  token_appTokenExpiring: 'manager',
  alert_alertStarted: 'manager',
  alert_alertEnded: 'manager',
};

export function defaultValue(event: EmailEvent, permission: AppPermission): EffectiveValue {
  const needed = sentByDefault[event];
  return needed && atLeast(permission, needed) ? 'Individual' : 'Disabled';
}

const toSettings = (row: StoredSettings | undefined): Settings => ({
  isEnabled: row?.is_enabled !== 0,
  choices: choicesCodec.parse(row?.choices ?? '{}'),
});

const readUserSettings = async ({ db }: Pick<Ctx, 'db'>, userId: string): Promise<Settings> =>
  toSettings(await findUserSettings.first(db, { userId }));

const readAppSettings = async ({ db }: Pick<Ctx, 'db'>, appId: string, userId: string): Promise<Settings> =>
  toSettings(await findAppSettings.first(db, { appId, userId }));

/** Resolves the value `Default` of an app. */
const inherited = (user: Settings, event: EmailEvent, permission: AppPermission): EffectiveValue => {
  const chosen = user.choices[event] ?? 'Default';
  return chosen === 'Default' ? defaultValue(event, permission) : chosen;
};

function resolveValue(user: Settings, app: Settings, permission: AppPermission, event: EmailEvent): EffectiveValue {
  if (!user.isEnabled || !app.isEnabled) return 'Disabled';
  const chosen = app.choices[event] ?? 'Default';
  return chosen === 'Default' ? inherited(user, event, permission) : chosen;
}

/** Resolves how a user is notified of an event of an app. */
export const valueFor = async (
  ctx: Pick<Ctx, 'db'>,
  { appId, userId, permission }: { appId: string; userId: string; permission: AppPermission },
  event: EmailEvent,
): Promise<EffectiveValue> =>
  resolveValue(await readUserSettings(ctx, userId), await readAppSettings(ctx, appId, userId), permission, event);

export interface Reader {
  userId: string;
  email: string;
  value: Exclude<EffectiveValue, 'Disabled'>;
}

/**
 * Lists the readers who receive emails about an event of an app, and how; the number of queries does not depend on the number
 * of users.
 */
export async function listReaders({ db }: Pick<Ctx, 'db'>, appId: string, event: EmailEvent): Promise<Reader[]> {
  const users = await listAppUsers({ db, app: await getAppRef({ db }, appId) });
  const ofApp = new Map((await listAppSettings.all(db, { appId })).map((row) => [row.user_id, row]));
  const ids = users.map(({ user }) => user.id);
  const reachable = await listMailableUsers(db, ids);
  return users.flatMap(({ user: { id, email }, permission }) => {
    const ofUser = reachable.get(id);
    if (!ofUser || isServiceAddress(email)) return [];
    const value = resolveValue(toSettings(ofUser), toSettings(ofApp.get(id)), permission, event);
    return value === 'Disabled' ? [] : { userId: id, email, value };
  });
}

export interface ShownSettings {
  isEnabled: boolean;
  isUserEnabled: boolean;
  settings: { event_type: EmailEvent; value: EmailValue; default_value: EffectiveValue }[];
}

function show(of: Settings, user: Settings, fallback: (event: EmailEvent) => EffectiveValue): ShownSettings {
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
  const chosen = Object.entries(choices).filter(([, value]) => value !== 'Default');
  return {
    is_enabled: (enabled ?? before.isEnabled) ? (1 as const) : (0 as const),
    choices: JSON.stringify(Object.fromEntries(chosen)),
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

/** Sends a test email to the caller. */
export const sendTestMail = (ctx: UserCtx): Promise<{ email: string; isSent: boolean }> =>
  tx(ctx, async (ctx) => {
    const { id, name } = ctx.actor.user;
    const reader = await findReader.first(ctx.db, { userId: id });
    if (!reader || isServiceAddress(reader.email)) {
      throw conflict('Emails cannot be sent to your address because it is not confirmed. Confirm it first.');
    }
    const { email } = reader;
    await refuseCrowdedRecipient(ctx, email, MAILS_BEFORE_TEST);
    const mail = testMail(email, `${ctx.publicUrl()}/settings/notifications`);
    await sendMail(ctx, { ...mail, unsubscribeUrl: unsubscribeUrl(ctx, id) });
    await record(ctx, 'email_settings.test', { kind: 'user', id, name });
    return { email, isSent: ctx.mailer !== undefined };
  });

export const unsubscribeUrl = links.urlFor;

export const unsubscribe = (ctx: Ctx, token: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const userId = links.readUserId(ctx, token);
    // A deleted user receives no emails anyway.
    if (!(await findReader.first(ctx.db, { userId }))) return;
    const after = changed(await readUserSettings(ctx, userId), { enabled: false });
    await saveUserSettings.run(ctx.db, { user_id: userId, ...after });
    await record(ctx, 'email_settings.update', { kind: 'user', id: userId }, { after });
  });
