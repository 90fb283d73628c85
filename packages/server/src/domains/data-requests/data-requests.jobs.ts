import { handleJob } from '../../jobs/index.ts';
import { dataExport, dataRequestsSweep, makeArchive, sweepDataRequests } from './data-requests.ts';
import { exportSubject, followSubjectRequests, subjectExport, subjectRequestsFollow } from './subject-requests.ts';

export const dataRequestJobs = [
  handleJob(dataExport, makeArchive),
  handleJob(dataRequestsSweep, sweepDataRequests),
  handleJob(subjectExport, exportSubject),
  handleJob(subjectRequestsFollow, followSubjectRequests),
];
