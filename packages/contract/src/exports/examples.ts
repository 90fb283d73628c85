export { exportConfigurationsExamples as exportsExamples } from './configurations.examples.ts';
