import { handleJob } from '../../jobs/index.ts';
import { copyMade, symbolsAdopt } from './adopting.ts';
import { discardBlobs, indexUpload, symbolsDiscard, symbolsIndex } from './indexing.ts';
import { assembleUpload, symbolsAssemble } from './sentry-cli/assembling.ts';
import { symbolsTidy, tidySymbols } from './symbol-uploads.ts';

export const symbolJobs = [
  handleJob(symbolsIndex, (ctx, { uploadId }) => indexUpload(ctx, uploadId)),
  handleJob(symbolsAssemble, assembleUpload),
  handleJob(symbolsAdopt, copyMade),
  handleJob(symbolsDiscard, (ctx, { keys }) => discardBlobs(ctx, keys)),
  handleJob(symbolsTidy, (ctx) => tidySymbols(ctx)),
];
