import type { Measure } from '../../context.ts';
import { summed } from '../usage/index.ts';
import { sumUploadSizes } from './symbol-uploads.store.ts';

export const symbolMeasures: Measure[] = [summed('storage_bytes', sumUploadSizes)];
