import { defineSchedule, handleJob } from '../../jobs/index.ts';
import { HOUR } from '../../kernel/clock.ts';
import { letGo } from './blocked-releases.ts';
import { packageResigned, takeResigned } from './devices/resigning.ts';
import { sweepInstalls } from './install/install-rows.ts';
import { notifyTesters, testersNotify } from './mails/notifications.ts';
import { discardPackage, releaseDiscard, sweepReleases } from './releases.ts';
import { applyRetention } from './retention/retention.ts';
import { publishSubmitted, storePublish } from './stores/stores.ts';
import { releasesLetGo } from './test-gates.ts';
import { adoptMapping, mappingAdopt } from './uploads/built-mappings.ts';
import { packageRelease, releaseBuilt } from './uploads/built-packages.ts';
import { packageRead, processReleaseUpload, sweepReleaseUploads } from './uploads/release-uploads.ts';

const releasesSweep = defineSchedule('releases.sweep', HOUR);

export const releaseJobs = [
  handleJob(packageRead, (ctx, { uploadId }) => processReleaseUpload(ctx, uploadId)),
  handleJob(packageRelease, releaseBuilt),
  handleJob(releasesLetGo, (ctx, { appId }) => letGo(ctx, appId)),
  handleJob(mappingAdopt, adoptMapping),
  handleJob(packageResigned, takeResigned),
  handleJob(testersNotify, notifyTesters),
  handleJob(releaseDiscard, (ctx, { key }) => discardPackage(ctx, key)),
  handleJob(storePublish, publishSubmitted),
  handleJob(releasesSweep, async (ctx) => {
    await applyRetention(ctx);
    await sweepReleases(ctx);
    await sweepReleaseUploads(ctx);
    await sweepInstalls(ctx);
  }),
];
