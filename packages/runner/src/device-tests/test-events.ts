import { setTimeout } from 'node:timers/promises';
import { ApiError } from '@mooring/contract';
import type { Event } from './adapters/adapter.ts';

const SEND_INTERVAL_MS = 200;
const BATCH_SIZE = 100;
const MAX_WAIT_MS = 15_000;

export interface EventQueue {
  /** Queues an event. Its screenshot is uploaded first, so that the event can refer to it. */
  add(event: Event, screenshot?: string): void;
  /** Resolves when all events have arrived, or the job was lost. */
  end(): Promise<void>;
}

export interface EventQueueOptions {
  /** Sends events after `from` earlier ones. Returns the number of received events. */
  send(from: number, events: Event[]): Promise<number>;
  /** Uploads a screenshot. Returns its name, or undefined if that failed. */
  uploadScreenshot(file: string): Promise<string | undefined>;
  /** Called when the server has reassigned the job. */
  onLost(): void;
}

interface Waiting {
  event: Event;
  screenshot?: string | undefined;
}

/** Sends events in order and in batches, with retries. The server ignores duplicates. */
export function createEventQueue({ send, uploadScreenshot, onLost }: EventQueueOptions): EventQueue {
  const waiting: Waiting[] = [];
  let sent = 0;
  let isLost = false;
  let isEnding = false;

  /** Resolves to undefined once the job is lost. */
  async function retry<T>(request: () => Promise<T>): Promise<T | undefined> {
    for (let wait = 250; !isLost; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
      try {
        return await request();
      } catch (error) {
        if (error instanceof ApiError && error.status < 500 && error.status !== 429) {
          isLost = true;
          onLost();
          return undefined;
        }
        await setTimeout(wait);
      }
    }
    return undefined;
  }

  async function sendBatch(): Promise<void> {
    const batch: Event[] = [];
    for (const { event, screenshot } of waiting.slice(0, BATCH_SIZE)) {
      const name = screenshot === undefined ? undefined : await retry(() => uploadScreenshot(screenshot));
      batch.push(event.type === 'step' && name !== undefined ? { ...event, screenshot: name } : event);
      // Send the batch early, so that the step appears as soon as its screenshot is uploaded.
      if (name !== undefined) break;
    }
    const arrived = await retry(() => send(sent, batch));
    if (arrived === undefined) return;
    waiting.splice(0, batch.length);
    sent += batch.length;
  }

  const sending = (async () => {
    while (!isLost && !(isEnding && waiting.length === 0)) {
      if (waiting.length > 0) await sendBatch();
      if (waiting.length === 0 && !isEnding) await setTimeout(SEND_INTERVAL_MS);
    }
  })();

  return {
    add(event, screenshot) {
      waiting.push({ event, screenshot });
    },
    async end() {
      isEnding = true;
      await sending;
    },
  };
}
