import { handleJob } from '../../jobs/index.ts';
import { alertsEvaluate, evaluateRules } from './evaluation.ts';

export const alertJobs = [handleJob(alertsEvaluate, evaluateRules)];
