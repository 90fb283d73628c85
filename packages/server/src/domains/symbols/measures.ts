import type { Measure } from '../../context.ts';
import { summed } from '../usage/index.ts';
import { sumSymbolSizes, sumUploadSizes } from './symbol-uploads.store.ts';

export const symbolMeasures: Measure[] = [
  summed('storage_bytes', sumUploadSizes),
  summed('storage_bytes', sumSymbolSizes),
];
