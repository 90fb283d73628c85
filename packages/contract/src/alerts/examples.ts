export { alertsExamples } from './alerts.examples.ts';
