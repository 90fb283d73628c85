import {
  type EndpointInput,
  type EndpointOutput,
  notifications_getAppEmailSettings,
  notifications_getUserEmailSettings,
  notifications_testUserEmail,
  notifications_updateAppEmailSettings,
  notifications_updateUserEmailSettings,
} from '@mooring/contract';
import { type AppRef, appKey } from '../apps.ts';
import { call, useChange, useRead } from '../client.ts';

export type EmailSettings = Pick<EndpointOutput<typeof notifications_getUserEmailSettings>, 'enabled' | 'settings'> &
  Partial<Pick<EndpointOutput<typeof notifications_getAppEmailSettings>, 'user_enabled'>>;
export type EmailSetting = EmailSettings['settings'][number];
export type EmailSettingsChange = EndpointInput<typeof notifications_updateUserEmailSettings>['body'];

const USER = ['email settings'];
const emailSettingsKey = (params: AppRef) => [...appKey(params), 'email settings'];

export const useMyEmailSettings = () => useRead<EmailSettings>(USER, () => call(notifications_getUserEmailSettings));
export const useSaveMyEmailSettings = () =>
  useChange((body: EmailSettingsChange) => call(notifications_updateUserEmailSettings, { body }), USER);
export const useTestMail = () => useChange(() => call(notifications_testUserEmail, { body: {} }));

export const useAppEmailSettings = (params: AppRef) =>
  useRead<EmailSettings>(emailSettingsKey(params), () => call(notifications_getAppEmailSettings, { params }));
export const useSaveAppEmailSettings = (params: AppRef) =>
  useChange(
    (body: EmailSettingsChange) => call(notifications_updateAppEmailSettings, { params, body }),
    emailSettingsKey(params),
  );
