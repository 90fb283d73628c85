import { Ajv, type ValidateFunction } from 'ajv';
import type { Static, TObject } from 'typebox';
import type { Ctx, Listener } from '../context.ts';
import { checkName, defineJob, handleJob, type JobHandler } from './define.ts';
import { enqueue } from './queue.ts';

/** An event of a domain. Domains above it can listen, although it does not know them. Named `noun.past`. */
export interface Event<S extends TObject = TObject> {
  readonly name: string;
  /** Schema of the payload. */
  readonly schema: S;
}

const defined = new Map<string, Event>();

/** All events of the loaded program. */
export const definedEvents = (): Event[] => [...defined.values()];

export function defineEvent<S extends TObject>(name: string, schema: S): Event<S> {
  checkName('event', name, defined.has(name));
  const event = { name, schema };
  defined.set(name, event);
  return event;
}

const ajv = new Ajv();
const checks = new WeakMap<Event, ValidateFunction>();

/** Compiles the schema when the event is first published. */
function fits(event: Event, payload: object): boolean {
  const check = checks.get(event) ?? ajv.compile(event.schema);
  checks.set(event, check);
  return check(payload);
}

type Run<S extends TObject> = (ctx: Ctx, payload: Static<S>) => Promise<void>;

/**
 * Handles an event in the same transaction. If the listener throws, the transaction is rolled back, so it can refuse
 * the change.
 */
export const onInTransaction = <S extends TObject>(event: Event<S>, run: Run<S>): Listener => ({
  event,
  run: run as Listener['run'],
});

const handlers = new WeakMap<Listener, JobHandler>();

/**
 * Handles an event after its transaction, in a job for each listener, so that each is retried on its own. Runs at least
 * once, as the system, with a name of the form `noun.verb`. `concerns` filters events that need no job.
 */
export function onAsJob<S extends TObject>(
  event: Event<S>,
  name: string,
  run: Run<S>,
  concerns: (payload: Static<S>) => boolean = () => true,
): Listener {
  const job = defineJob<Static<S> & object>(name);
  const listener: Listener = {
    event,
    run: async (ctx, payload) => {
      if (concerns(payload as Static<S>)) await enqueue(ctx, job, payload as Static<S> & object);
    },
  };
  handlers.set(listener, handleJob(job, run));
  return listener;
}

/** Job handlers of those listeners that run as jobs. */
export const listHandlers = (listeners: readonly Listener[]): JobHandler[] =>
  listeners.flatMap((listener) => handlers.get(listener) ?? []);

/** Calls all listeners in the order of the domains, within the transaction that caused the event. */
export async function publish<S extends TObject>(ctx: Ctx, event: Event<S>, payload: Static<S>): Promise<void> {
  if (!ctx.db.inTransaction) throw new Error(`${event.name} was published outside a transaction`);
  if (!fits(event, payload as object))
    throw new Error(`${event.name} was published with a payload that does not match its schema`);
  for (const listener of ctx.listeners) {
    if (listener.event === event) await listener.run(ctx, payload as object);
  }
}

/** Checks that each event is listed by exactly one domain, and that listeners use listed events. */
export function checkEvents(
  all: readonly Event[],
  listed: readonly Event[],
  listeners: readonly Pick<Listener, 'event'>[],
): void {
  for (const { name } of all.filter((event) => !listed.includes(event))) {
    throw new Error(`No domain lists the event ${name}.`);
  }
  const names = listed.map(({ name }) => name);
  for (const name of names.filter((name, at) => names.indexOf(name) !== at)) {
    throw new Error(`Two domains list the event ${name}.`);
  }
  for (const { event } of listeners.filter(({ event }) => !(listed as readonly object[]).includes(event))) {
    throw new Error(`A listener uses the event ${event.name}, which no domain lists.`);
  }
}
