import { defineDomain } from '../../domain.ts';
import { subjectRecords } from '../../extensions/subject-records.ts';
import { usageMeasures } from '../../extensions/usage-measures.ts';
import { summed } from '../usage/index.ts';
import { feedbackJobs } from './feedback.jobs.ts';
import { feedbackListeners } from './feedback.listeners.ts';
import { feedbackRoutes } from './feedback.routes.ts';
import { feedbackSettings } from './feedback.settings.ts';
import { feedbackTables } from './feedback.tables.ts';
import { sumPictureSizes } from './pictures.store.ts';
import { subjectFeedback } from './subject-records.ts';

export type { FeedbackTable } from './feedback.tables.ts';
export { findFeedbackRow, setFeedbackState } from './feedback.ts';
export { receiveFeedback } from './receiving.ts';

export const feedback = defineDomain({
  settings: feedbackSettings,
  tables: feedbackTables,
  routes: feedbackRoutes,
  jobs: feedbackJobs,
  listeners: feedbackListeners,
  extensions: [subjectRecords.add(subjectFeedback), usageMeasures.add(summed('storage_bytes', sumPictureSizes))],
});
