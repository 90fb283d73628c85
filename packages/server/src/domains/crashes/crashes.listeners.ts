import { onAsJob } from '../../jobs/index.ts';
import { senderForgotten } from '../ingest/index.ts';
import { symbolsIndexed } from '../symbols/index.ts';
import { deleteSender } from './reports/deleted-senders.ts';
import { resymbolicate } from './reports/reprocessing.ts';

/** When symbols come, reports that waited for them are processed again; reports of whoever is deleted go. */
export const crashListeners = [
  onAsJob(symbolsIndexed, 'crash_reports.resymbolicate', resymbolicate),
  onAsJob(senderForgotten, 'crash_reports.forget', deleteSender),
];
