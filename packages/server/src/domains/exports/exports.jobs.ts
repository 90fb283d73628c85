import { handleJob } from '../../jobs/index.ts';
import { exportsRun, exportWrite, runExports, writeExport } from './writing.ts';

export const exportJobs = [
  handleJob(exportsRun, runExports),
  handleJob(exportWrite, (ctx, { id }) => writeExport(ctx, id)),
];
