import type { Deps } from '../../../context.ts';
import { isReferenceGone } from '../../../db/portable.ts';
import { WriteCoalescer } from '../../../kernel/concurrency/write-coalescer.ts';
import { forbidden } from '../../../kernel/errors.ts';
import type { Received, WriteDeps, WriteReceived } from './batch-writing.ts';

const MIB = 1024 * 1024;
const MAX_GROUP_BYTES = 32 * MIB;
/** An app that floods the server leaves capacity for the others. */
const MAX_APP_SHARE = 0.75;
/** Memory of a request without a batch. */
const REQUEST_BYTES = 1000;

export interface LogQueue {
  /** Refuses a request of an app before doing any work for it. */
  refuseIfFull(appId: string): void;
  /** Resolves once the request is durable. */
  add(received: Received): Promise<void>;
}

/** Collects the requests of this process and writes them in groups. */
export function createLogQueue(deps: WriteDeps & Pick<Deps, 'config'>, write: WriteReceived): LogQueue {
  const queue = new WriteCoalescer<Received>({
    maxBytes: MAX_GROUP_BYTES,
    maxPendingBytes: deps.config.ingestQueueMb * MIB,
    maxKeyShare: MAX_APP_SHARE,
    // An app was deleted meanwhile: the logs of the other apps are still written.
    retry: (error) => (isReferenceGone(error) ? 'keys' : undefined),
    async write(group) {
      const received = group.takeAll();
      try {
        await write(deps, received);
      } catch (error) {
        const isOneApp = received.every(({ appId }) => appId === received[0]?.appId);
        throw isOneApp && isReferenceGone(error) ? forbidden('The app has been deleted.') : error;
      }
    },
  });
  return {
    refuseIfFull: (appId) => queue.refuseIfFull(appId),
    add: (received) => queue.add(received, received.appId, REQUEST_BYTES + (received.stored?.body.length ?? 0)),
  };
}
