import { onInTransaction } from '../../jobs/index.ts';
import { deleteInvalidLogsOf } from './forgotten-senders.ts';
import { senderForgotten } from './ingest.events.ts';

export const ingestListeners = [onInTransaction(senderForgotten, deleteInvalidLogsOf)];
