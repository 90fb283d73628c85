import { handleJob } from '../../jobs/index.ts';
import { dataExport, dataRequestsSweep, makeArchive, sweepDataRequests } from './data-requests.ts';

export const dataRequestJobs = [handleJob(dataExport, makeArchive), handleJob(dataRequestsSweep, sweepDataRequests)];
