export { alertsExamples as examples } from './alerts.examples.ts';
