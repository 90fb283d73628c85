import { handleJob } from '../../jobs/index.ts';
import { deletePictureBlobs, pictureRedraw, picturesDiscard, redrawPicture } from './pictures.ts';
import { feedbackTidy, tidyFeedback } from './retention.ts';
import { feedbackLogs, readNewFeedback } from './sentry-feedback.ts';

export const feedbackJobs = [
  handleJob(feedbackLogs.job, (ctx, { appId }) => readNewFeedback(ctx, appId)),
  handleJob(pictureRedraw, redrawPicture),
  handleJob(picturesDiscard, deletePictureBlobs),
  handleJob(feedbackTidy, tidyFeedback),
];
