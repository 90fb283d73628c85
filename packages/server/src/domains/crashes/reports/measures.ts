import type { Measure } from '../../../context.ts';
import { sumAttachmentSizes } from './attachments.store.ts';

export const crashMeasures: Measure[] = [
  {
    name: 'storage_bytes',
    count: async ({ db }, appId) => Number((await sumAttachmentSizes.first(db, { appId }))?.bytes ?? 0),
  },
];
