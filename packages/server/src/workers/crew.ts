import { createFairPool } from '../kernel/concurrency/fair-pool.ts';

/** Owner of the work, and when to stop it. */
export interface Share {
  /** Owners take turns, so that the files of one do not delay the others; see `workOwner`. */
  owner: string;
  /** Stops the work when its client closes the connection. */
  signal?: AbortSignal | undefined;
  /** Runs when the work gets its turn; an error that it throws becomes the result. */
  beforeStart?(): void;
  /** Runs after the work with its duration, without the time in the queue. */
  afterEnd?(ms: number): void;
}

interface Member<M> {
  worker: M;
  lastOwner: string | undefined;
}

/**
 * Equal workers that owners share fairly. Each is created when it is first needed. An owner gets the worker that served it
 * last if that is free, because it may have the files of this owner in memory.
 */
export function createCrew<M>(size: number, create: () => M) {
  const pool = createFairPool({ slots: size });
  const all: Member<M>[] = [];
  const free: Member<M>[] = [];

  function take(owner: string): Member<M> {
    const known = free.findIndex(({ lastOwner }) => lastOwner === owner);
    const [member] = free.splice(Math.max(0, known), 1);
    if (member && (known >= 0 || all.length === size)) return member;
    if (member) free.unshift(member);
    const added: Member<M> = { worker: create(), lastOwner: undefined };
    all.push(added);
    return added;
  }

  return {
    workers: (): M[] => all.map(({ worker }) => worker),
    run: <T>({ owner, signal, beforeStart, afterEnd }: Share, work: (worker: M) => Promise<T>): Promise<T> =>
      pool(
        owner,
        async () => {
          beforeStart?.();
          const start = performance.now();
          const member = take(owner);
          member.lastOwner = owner;
          try {
            return await work(member.worker);
          } finally {
            free.push(member);
            afterEnd?.(performance.now() - start);
          }
        },
        { signal },
      ),
  };
}
