export { exportConfigurationsExamples as exportsExamples } from './export-configurations.examples.ts';
