import { setImmediate } from 'node:timers/promises';
import { unavailable } from '../errors.ts';

/** Items that are written together. The writer takes as many as it wants; the next group gets the rest. */
export interface WriteGroup<T> {
  /**
   * Takes the next item that fits into the group. Keys take turns, so that the items of one do not delay the others.
   */
  take(): T | undefined;
  takeAll(): T[];
}

export interface WriteCoalescerOptions<T> {
  /** Writes a group: the items that it has taken are durable when it resolves. */
  write(group: WriteGroup<T>): Promise<void>;
  /** Decides how to retry the items of a failed group: one by one, key by key or (by default) not at all. */
  retry?(error: unknown): 'items' | 'keys' | undefined;
  /**
   * Maximum time to collect a group, in ms. A group also ends once no item has arrived for a tick of the event loop. 0:
   * no collecting.
   */
  maxWaitMs?: number;
  /** Limits of one group. An item larger than `maxBytes` forms a group alone. */
  maxItems?: number;
  maxBytes?: number;
  /** Limits of all items that wait or are being written, and the share of one key. */
  maxPending?: number;
  maxPendingBytes?: number;
  maxKeyShare?: number;
}

interface Pending<T> extends PromiseWithResolvers<void> {
  item: T;
  key: string;
  bytes: number;
  /** The next item of the same key. */
  next: Pending<T> | undefined;
}

interface Queue<T> {
  first: Pending<T>;
  last: Pending<T>;
}

interface Load {
  count: number;
  bytes: number;
}

class Group<T> implements WriteGroup<T> {
  readonly taken: Pending<T>[] = [];
  bytes = 0;
  private readonly next: (group: Group<T>) => Pending<T> | undefined;

  constructor(next: (group: Group<T>) => Pending<T> | undefined) {
    this.next = next;
  }

  take(): T | undefined {
    const pending = this.next(this);
    if (!pending) return undefined;
    this.taken.push(pending);
    this.bytes += pending.bytes;
    return pending.item;
  }

  takeAll(): T[] {
    const items: T[] = [];
    for (let item = this.take(); item !== undefined; item = this.take()) items.push(item);
    return items;
  }
}

/**
 * Collects items and writes them in groups, one group at a time: a group shares one commit, because syncing the disk is
 * the expensive part.
 */
export class WriteCoalescer<T extends NonNullable<unknown>> {
  /** Items that no group has taken, by key, in the order of turns. */
  private readonly queues = new Map<string, Queue<T>>();
  /** Items that wait or are being written: all, and by key. */
  private readonly total: Load = { count: 0, bytes: 0 };
  private readonly loadByKey = new Map<string, Load>();
  private readonly options: Required<WriteCoalescerOptions<T>>;
  private readonly takeNext: (group: Group<T>) => Pending<T> | undefined;
  private isDraining = false;

  constructor(options: WriteCoalescerOptions<T>) {
    const unlimited = Number.POSITIVE_INFINITY;
    this.options = {
      retry: () => undefined,
      maxWaitMs: 10,
      maxItems: 500,
      maxBytes: unlimited,
      maxPending: 20_000,
      maxPendingBytes: unlimited,
      maxKeyShare: 1,
      ...options,
    };
    this.takeNext = (group) => this.shift(group);
  }

  /** Resolves once the item is durable. */
  add(item: T, key = '', bytes = 0): Promise<void> {
    const pending: Pending<T> = { item, key, bytes, next: undefined, ...Promise.withResolvers<void>() };
    const load = this.loadByKey.get(key);
    if (load) addLoad(load, 1, bytes);
    else this.loadByKey.set(key, { count: 1, bytes });
    addLoad(this.total, 1, bytes);
    const queue = this.queues.get(key);
    if (queue) {
      queue.last.next = pending;
      queue.last = pending;
    } else this.queues.set(key, { first: pending, last: pending });
    if (!this.isDraining) void this.drain();
    return pending.promise;
  }

  /** Throws 503 if the limit of pending items is reached. Callers check it before they work on an item. */
  refuseIfFull(key = ''): void {
    if (!this.isFull(this.total, 1) && !this.isFull(this.loadByKey.get(key), this.options.maxKeyShare)) return;
    throw unavailable('Too many writes are queued. Retry later.');
  }

  private isFull(load: Load | undefined, share: number): boolean {
    const { maxPending, maxPendingBytes } = this.options;
    return load !== undefined && (load.count >= share * maxPending || load.bytes >= share * maxPendingBytes);
  }

  private async drain(): Promise<void> {
    this.isDraining = true;
    while (this.queues.size > 0) {
      if (this.options.maxWaitMs > 0) await this.collect();
      await this.write(new Group(this.takeNext));
    }
    this.isDraining = false;
  }

  private async collect(): Promise<void> {
    const end = performance.now() + this.options.maxWaitMs;
    for (let seen = 0; seen < this.total.count && performance.now() < end; ) {
      seen = this.total.count;
      await setImmediate();
    }
  }

  /** Takes the next item of the key whose turn it is. If it does not fit, it starts the next group. */
  private shift(group: Group<T>): Pending<T> | undefined {
    const { value } = this.queues.entries().next();
    if (!value) return undefined;
    const [key, queue] = value;
    const { first } = queue;
    const { maxItems, maxBytes } = this.options;
    const { length } = group.taken;
    if (length > 0 && (length >= maxItems || group.bytes + first.bytes > maxBytes)) return undefined;
    if (!first.next) this.queues.delete(key);
    else {
      queue.first = first.next;
      if (this.queues.size > 1) {
        this.queues.delete(key);
        this.queues.set(key, queue);
      }
    }
    first.next = undefined;
    return first;
  }

  private async write(group: Group<T>): Promise<void> {
    try {
      await this.options.write(group);
    } catch (error) {
      await this.recover(group, error);
      return;
    }
    for (const pending of group.taken) {
      this.release(pending);
      pending.resolve();
    }
  }

  private async recover({ taken }: Group<T>, error: unknown): Promise<void> {
    // A writer that fails before it takes an item can't write at all.
    if (taken.length === 0) {
      this.reject(this.clear(), error);
      return;
    }
    const retry = this.options.retry(error);
    const parts = retry && [...Map.groupBy(taken, (pending) => (retry === 'keys' ? pending.key : pending)).values()];
    if (!parts || parts.length === 1) this.reject(taken, error);
    else for (const part of parts) await this.write(new Group(() => part.shift()));
  }

  private clear(): Pending<T>[] {
    const waiting: Pending<T>[] = [];
    for (const { first } of this.queues.values()) {
      for (let pending: Pending<T> | undefined = first; pending; pending = pending.next) waiting.push(pending);
    }
    this.queues.clear();
    return waiting;
  }

  private reject(failed: readonly Pending<T>[], error: unknown): void {
    for (const pending of failed) {
      this.release(pending);
      pending.reject(error);
    }
  }

  private release({ key, bytes }: Pending<T>): void {
    addLoad(this.total, -1, -bytes);
    const load = this.loadByKey.get(key);
    if (!load) return;
    addLoad(load, -1, -bytes);
    if (load.count === 0) this.loadByKey.delete(key);
  }
}

function addLoad(load: Load, count: number, bytes: number): void {
  load.count += count;
  load.bytes += bytes;
}
