import { onInTransaction } from '../../jobs/index.ts';
import { deleteSubjectInvalidLogs } from './erasure.ts';
import { erasureRequested } from './ingest.events.ts';

export const ingestListeners = [onInTransaction(erasureRequested, deleteSubjectInvalidLogs)];
