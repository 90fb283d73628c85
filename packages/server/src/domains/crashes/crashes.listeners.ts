import { onAsJob } from '../../jobs/index.ts';
import { erasureRequested } from '../ingest/index.ts';
import { symbolsIndexed } from '../symbols/index.ts';
import { eraseSubject } from './reports/erased-subjects.ts';
import { resymbolicate } from './reports/processing/reprocessing.ts';

/** Reprocesses reports when their missing symbols arrive, and deletes the reports of erased data subjects. */
export const crashListeners = [
  onAsJob(symbolsIndexed, 'crash_reports.resymbolicate', resymbolicate),
  onAsJob(erasureRequested, 'crash_reports.forget', eraseSubject),
];
