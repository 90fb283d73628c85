import { Ajv, type ValidateFunction } from 'ajv';
import type { Static, TObject } from 'typebox';
import type { Ctx, Listener } from '../context.ts';
import { checkName, defineJob, handleJob, type JobHandler } from './define.ts';
import { enqueue } from './queue.ts';

/** Something that happened in a domain, told to domains above it, which it does not know. `noun.past` names it. */
export interface Event<S extends TObject = TObject> {
  readonly name: string;
  /** What is told of it. */
  readonly schema: S;
}

const defined = new Map<string, Event>();

/** Every event that the loaded program can publish. */
export const definedEvents = (): Event[] => [...defined.values()];

export function defineEvent<S extends TObject>(name: string, schema: S): Event<S> {
  checkName('event', name, defined.has(name));
  const event = { name, schema };
  defined.set(name, event);
  return event;
}

const ajv = new Ajv();
const checks = new WeakMap<Event, ValidateFunction>();

/** Compiled when it is first published. */
function fits(event: Event, payload: object): boolean {
  const check = checks.get(event) ?? ajv.compile(event.schema);
  checks.set(event, check);
  return check(payload);
}

type Run<S extends TObject> = (ctx: Ctx, payload: Static<S>) => Promise<void>;

/** Joins an event with what is done in the same transaction. What a listener throws undoes that, so it may also refuse. */
export const onInTransaction = <S extends TObject>(event: Event<S>, run: Run<S>): Listener => ({
  event,
  run: run as Listener['run'],
});

const handlers = new WeakMap<Listener, JobHandler>();

/**
 * Joins an event with what is done after its transaction: a job of its own, so that listeners fail and are tried again
 * each for itself. It runs at least once, as the system; `noun.verb` names it. There is none for what does not concern it.
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

/** What runs the jobs of those listeners that have one. */
export const handlersOf = (listeners: readonly Listener[]): JobHandler[] =>
  listeners.flatMap((listener) => handlers.get(listener) ?? []);

/** Tells every listener, in the order of the domains, within the transaction in which it happens. */
export async function publish<S extends TObject>(ctx: Ctx, event: Event<S>, payload: Static<S>): Promise<void> {
  if (!ctx.db.inTransaction) throw new Error(`${event.name} was published outside the transaction in which it happens`);
  if (!fits(event, payload as object)) throw new Error(`${event.name} was published with what does not fit its schema`);
  for (const listener of ctx.listeners) {
    if (listener.event === event) await listener.run(ctx, payload as object);
  }
}

/** Refuses events that no domain has in its list, that two have, and listeners to what is in none: nobody would be told. */
export function checkEvents(
  all: readonly Event[],
  listed: readonly Event[],
  listeners: readonly Pick<Listener, 'event'>[],
): void {
  for (const { name } of all.filter((event) => !listed.includes(event))) {
    throw new Error(`The event ${name} is in no domain's list of events.`);
  }
  const names = listed.map(({ name }) => name);
  for (const name of names.filter((name, at) => names.indexOf(name) !== at)) {
    throw new Error(`The event ${name} is listed twice.`);
  }
  for (const { event } of listeners.filter(({ event }) => !(listed as readonly object[]).includes(event))) {
    throw new Error(`Something listens to ${event.name}, which is in no domain's list of events.`);
  }
}
