import type { UsageMeasure } from '../../extensions/usage-measures.ts';
import { summed } from '../usage/index.ts';
import { sumSymbolSizes, sumUploadSizes } from './symbol-uploads.store.ts';

export const symbolMeasures: UsageMeasure[] = [
  summed('storage_bytes', sumUploadSizes),
  summed('storage_bytes', sumSymbolSizes),
];
