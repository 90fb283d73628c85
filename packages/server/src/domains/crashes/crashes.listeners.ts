import { onAsJob } from '../../jobs/index.ts';
import { symbolsIndexed } from '../symbols/index.ts';
import { resymbolicate } from './reports/reprocessing.ts';

/** When symbols come, reports that waited for them are processed again. */
export const crashListeners = [onAsJob(symbolsIndexed, 'crash_reports.resymbolicate', resymbolicate)];
