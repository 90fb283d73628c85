import { setTimeout } from 'node:timers/promises';
import { ApiError } from '@mooring/contract';
import type { Event } from './adapters/adapter.ts';

const EVERY = 200;
const AT_ONCE = 100;
const LONGEST_WAIT = 15_000;

export interface EventSender {
  /** In order; a screenshot is kept first, and the event has its name then. */
  add(event: Event, screenshot?: string): void;
  /** All that was added has arrived, or never will. */
  end(): Promise<void>;
}

export interface SenderOptions {
  /** Sends events, saying how many were sent before; says how many have arrived. */
  send(from: number, events: Event[]): Promise<number>;
  /** Keeps a screenshot; says its name, or nothing if there is none that could be kept. */
  keep(file: string): Promise<string | undefined>;
  /** The server says that the job is no longer ours. */
  onLost(): void;
}

interface Waiting {
  event: Event;
  screenshot?: string | undefined;
}

/** Sends events in order, some at a time, each until the server has it: what is sent again is harmless. */
export function createEventSender({ send, keep, onLost }: SenderOptions): EventSender {
  const waiting: Waiting[] = [];
  let sent = 0;
  let isLost = false;
  let isEnding = false;

  /** Undefined once there is no use in asking. */
  async function persist<T>(ask: () => Promise<T>): Promise<T | undefined> {
    for (let wait = 250; !isLost; wait = Math.min(wait * 2, LONGEST_WAIT)) {
      try {
        return await ask();
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

  async function sendSome(): Promise<void> {
    const some: Event[] = [];
    for (const { event, screenshot } of waiting.slice(0, AT_ONCE)) {
      const name = screenshot === undefined ? undefined : await persist(() => keep(screenshot));
      some.push(event.type === 'step' && name !== undefined ? { ...event, screenshot: name } : event);
      // Whoever watches sees a step as soon as its picture is there.
      if (name !== undefined) break;
    }
    const arrived = await persist(() => send(sent, some));
    if (arrived === undefined) return;
    waiting.splice(0, some.length);
    sent += some.length;
  }

  const sending = (async () => {
    while (!isLost && !(isEnding && waiting.length === 0)) {
      if (waiting.length > 0) await sendSome();
      if (waiting.length === 0 && !isEnding) await setTimeout(EVERY);
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
