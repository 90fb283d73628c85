import type { Measure } from '../../../context.ts';
import { summed } from '../../usage/index.ts';
import { countLeftOut, sumAttachmentSizes } from './attachments.store.ts';

export const crashMeasures: Measure[] = [
  summed('storage_bytes', sumAttachmentSizes),
  summed('attachments_left_out', countLeftOut),
];
