import type { Ctx, Listener } from '../context.ts';

/** Something that happened in a domain, told to domains above it, which it does not know. `noun.past` names it. */
export interface Event<P extends object = object> {
  readonly name: string;
  /** Only a type: what is told of it. */
  readonly payload?: P;
}

export const defineEvent = <P extends object>(name: string): Event<P> => ({ name });

/** Joins an event with what is done in the same transaction. What a listener throws undoes that, so it may also refuse. */
export const onInTransaction = <P extends object>(
  event: Event<P>,
  run: (ctx: Ctx, payload: P) => Promise<void>,
): Listener => ({ event, run: run as Listener['run'] });

/** Tells every listener, in the order of the domains. */
export async function publish<P extends object>(ctx: Ctx, event: Event<P>, payload: P): Promise<void> {
  if (!ctx.db.inTransaction) throw new Error(`${event.name} was published outside the transaction in which it happens`);
  for (const listener of ctx.listeners) if (listener.event === event) await listener.run(ctx, payload);
}
