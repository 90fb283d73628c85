import type { UsageMeasure } from '../../../extensions/usage-measures.ts';
import { summed } from '../../usage/index.ts';
import { countLeftOut, sumAttachmentSizes } from './attachments.store.ts';

export const crashMeasures: UsageMeasure[] = [
  summed('storage_bytes', sumAttachmentSizes),
  summed('attachments_left_out', countLeftOut),
];
