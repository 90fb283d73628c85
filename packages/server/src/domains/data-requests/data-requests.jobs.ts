import { handleJob } from '../../jobs/index.ts';
import { dataExport, dataRequestsSweep, makeArchive, sweepDataRequests } from './data-requests.ts';
import { exportSender, followSenderRequests, senderExport, senderRequestsFollow } from './sender-requests.ts';

export const dataRequestJobs = [
  handleJob(dataExport, makeArchive),
  handleJob(dataRequestsSweep, sweepDataRequests),
  handleJob(senderExport, exportSender),
  handleJob(senderRequestsFollow, followSenderRequests),
];
