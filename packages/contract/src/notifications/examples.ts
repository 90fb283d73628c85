export { emailSettingsExamples as notificationsExamples } from './email-settings.examples.ts';
