export { emailSettingsExamples as examples } from './email-settings.examples.ts';
