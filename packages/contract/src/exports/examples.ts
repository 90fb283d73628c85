import { exportConfigurationsExamples } from './configurations.examples.ts';
import { historyExamples } from './history.examples.ts';

export const examples = { ...exportConfigurationsExamples, ...historyExamples };
