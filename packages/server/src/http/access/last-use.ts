import type { Actor } from '../../context.ts';
import { SECOND } from '../../kernel/clock.ts';
import { createBatch } from '../../kernel/concurrency/batch.ts';
import type { Log } from '../../kernel/log.ts';
import type { CredentialKind } from './credentials.ts';

/** Records when credentials were used, and writes it every few seconds. */
export interface LastUse {
  /** Called for every request with a token or a session, so it only records. */
  note(actor: Actor, at: number, address: string): void;
  flush(): Promise<void>;
  stop(): Promise<void>;
}

export function trackLastUse(credentials: readonly CredentialKind[], log: Log): LastUse {
  const batches = new Map(
    credentials.flatMap(({ name, writeLastUse }) => {
      if (!writeLastUse) return [];
      const batch = createBatch<{ at: number; address: string }>({
        everyMs: 10 * SECOND,
        maxKeys: 20_000,
        write: (uses) => writeLastUse(uses.map(([id, { at, address }]) => [id, at, address])),
        onError: (err) => log.warn({ err }, `failed to write the last use of a ${name}`),
      });
      return [[name, batch]];
    }),
  );
  const all = [...batches.values()];
  return {
    note(actor, at, address) {
      const use = { at, address };
      if (actor.kind === 'app') batches.get('token')?.put(actor.tokenId, use);
      else if (actor.kind === 'directory') batches.get('directory')?.put(actor.tokenId, use);
      else if (actor.kind === 'user' && 'id' in actor.credential) {
        batches.get(actor.credential.kind)?.put(actor.credential.id, use);
      }
    },
    async flush() {
      await Promise.all(all.map((batch) => batch.flush()));
    },
    async stop() {
      await Promise.all(all.map((batch) => batch.stop()));
    },
  };
}
