import { defineSchedule, handleJob } from '../../jobs/index.ts';
import { HOUR } from '../../kernel/clock.ts';
import { packageRelease, releaseBuilt } from './built-packages.ts';
import { notifyTesters, testersNotify } from './notifications.ts';
import { packageRead, processReleaseUpload, sweepReleaseUploads } from './release-uploads.ts';
import { discardPackage, releaseDiscard, sweepReleases } from './releases.ts';
import { applyRetention } from './retention.ts';
import { publishSubmitted, storePublish } from './stores.ts';

const releasesSweep = defineSchedule('releases.sweep', HOUR);

export const releaseJobs = [
  handleJob(packageRead, (ctx, { uploadId }) => processReleaseUpload(ctx, uploadId)),
  handleJob(packageRelease, releaseBuilt),
  handleJob(testersNotify, notifyTesters),
  handleJob(releaseDiscard, (ctx, { key }) => discardPackage(ctx, key)),
  handleJob(storePublish, publishSubmitted),
  handleJob(releasesSweep, async (ctx) => {
    await applyRetention(ctx);
    await sweepReleases(ctx);
    await sweepReleaseUploads(ctx);
  }),
];
