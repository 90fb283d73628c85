import type { Measure } from '../../context.ts';
import { summed } from '../usage/index.ts';
import { sumSizes } from './releases.store.ts';

export const releaseMeasures: Measure[] = [summed('storage_bytes', sumSizes)];
