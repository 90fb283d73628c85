import { onAsJob } from '../../jobs/index.ts';
import { erasureRequested } from '../ingest/index.ts';
import { eraseSubjectFeedback } from './subject-records.ts';

export const feedbackListeners = [onAsJob(erasureRequested, 'feedback.forget', eraseSubjectFeedback)];
