import type { Client } from '@mooring/contract';
import { createApp } from '../../packages/server/src/app.ts';
import type { Config } from '../../packages/server/src/config.ts';
import { type Ctx, systemCtx, type User } from '../../packages/server/src/context.ts';
import { tx } from '../../packages/server/src/db/tx.ts';
import {
  addUser,
  findSessionActor,
  type NewUser,
  noteConfirmation,
  openSession,
  type withPasswordHash,
} from '../../packages/server/src/domains/accounts/index.ts';
import { DAY, MINUTE, SECOND } from '../../packages/server/src/kernel/clock.ts';
import { open } from '../../packages/server/src/kernel/crypto/sealed.ts';
import { createLog } from '../../packages/server/src/kernel/log.ts';
import type { Random } from '../samples/random.ts';
import { createAppClient } from './client.ts';

type PasswordHash = Awaited<ReturnType<typeof withPasswordHash>>['passwordHash'];

/** The server without ports, on a simulated clock. */
export interface Stage {
  /** Adds an event to the agenda. */
  plan(at: number, happens: () => Promise<unknown>): void;
  /** Runs all jobs that are due. */
  runJobs(): Promise<unknown>;
  /** Runs all events on the agenda in order of time. */
  play(): Promise<void>;
  now(): number;
  /** Advances the clock by some seconds. */
  pass(seconds: number): void;
  /** The server itself, for events without a user. */
  system(): Ctx;
  addPerson(person: Omit<NewUser, 'password'> & { name: string }, passwordHash: PasswordHash): Promise<void>;
  /** The API as a user who is signed in to the console. */
  as(name: string): Promise<Client>;
  /** The newest link of a kind that was emailed to an address. */
  linkTo(email: string, kind: string): Promise<string | undefined>;
  /** The API with a token. */
  withToken(token: string): Client;
  /** The API without a credential. */
  anybody: Client;
  stop(): Promise<void>;
}

const browsers = [
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
];

/** External servers, which accept all requests; sometimes they are busy, and must be retried. */
function createReceivers() {
  let requests = 0;
  return async () => {
    requests += 1;
    const isBusy = requests % 7 === 3;
    return { status: isBusy ? 503 : 204, headers: {}, body: Buffer.from(isBusy ? 'Busy, try again later.' : '') };
  };
}

/** IDs with the simulated time, identical in every run. */
function createIds(now: () => number): () => string {
  let made = 0;
  return () => {
    made += 1;
    const time = now().toString(16).padStart(12, '0');
    const count = made.toString(16).padStart(12, '0');
    // The counter follows the time, so that IDs of one millisecond keep their order.
    return `${time.slice(0, 8)}-${time.slice(8)}-7${count.slice(-9, -6)}-8${count.slice(-6, -3)}-${count.slice(-3)}d${count.slice(-8)}`;
  };
}

export async function openStage(config: Config, start: number, chance: Random): Promise<Stage> {
  let time = start;
  const clock = { now: () => time };
  const log = createLog('silent');
  const app = await createApp(
    { ...config, rateLimit: 0 },
    {
      clock,
      log,
      newId: createIds(clock.now),
      fetch: createReceivers(),
    },
  );
  await app.database.migrate();
  const ctx = () => systemCtx(app.deps);

  const people = new Map<string, { user: User; address: string; userAgent: string }>();
  const sessions = new Map<string, { id: string; client: Client; openedAt: number; confirmedAt: number }>();
  const agenda: { at: number; happens: () => Promise<unknown> }[] = [];
  const withToken = (token: string) =>
    createAppClient(
      app.http,
      { 'x-api-token': token, 'user-agent': 'mooring-cli/0.1.0' },
      `203.0.113.${chance.between(1, 60)}`,
    );

  return {
    plan: (at, happens) => agenda.push({ at, happens }),
    now: clock.now,
    pass(seconds) {
      time += seconds * SECOND;
    },
    system: ctx,
    runJobs: () => app.runJobs(),
    async play() {
      let played = 0;
      // An event may add later ones to the agenda.
      for (let next = takeFirst(agenda); next; next = takeFirst(agenda)) {
        time = Math.max(time + SECOND, next.at);
        await next.happens();
        played += 1;
        if (played % 100 === 0) {
          await app.runJobs();
          await app.writeUse();
        }
      }
      await app.runJobs();
      await app.writeUse();
    },
    async addPerson(person, passwordHash) {
      const user = await tx(ctx(), (ctx) => addUser(ctx, { ...person, passwordHash, isEmailVerified: true }));
      const address = `198.51.100.${chance.between(1, 250)}`;
      people.set(user.name, { user, address, userAgent: chance.pick(browsers) });
    },
    async as(name) {
      time += chance.between(1, 9) * SECOND;
      const open = sessions.get(name);
      // People confirm who they are when the console asks.
      if (open && time - open.openedAt < 0.9 * config.sessionDays * DAY) {
        if (time - open.confirmedAt > MINUTE) {
          await noteConfirmation(ctx(), open.id);
          open.confirmedAt = time;
        }
        return open.client;
      }
      const person = people.get(name);
      if (!person) throw new Error(`No user named ${name} exists at ${new Date(time).toISOString()}.`);
      const { user, address, userAgent } = person;
      const { secret } = await openSession({ ...ctx(), origin: { address, userAgent, requestId: 'demo' } }, user);
      const headers = { cookie: `mooring_session=${secret}`, 'sec-fetch-site': 'same-origin', 'user-agent': userAgent };
      const client = createAppClient(app.http, headers, address);
      const credential = (await findSessionActor(app.deps, secret))?.actor.credential;
      const id = credential?.kind === 'session' ? credential.id : '';
      sessions.set(name, { id, client, openedAt: time, confirmedAt: time });
      return client;
    },
    async linkTo(email, kind) {
      const mails = await app.database.query((q) =>
        q.selectFrom('mails').select('text').where('to', '=', email).orderBy('id', 'desc').limit(5),
      );
      const texts = mails.map(({ text }) => open(app.deps.secretKey, 'mail', text) ?? text);
      const links = texts.flatMap((text) => text.match(/https?:\S+/g) ?? []);
      return links.find((link) => link.includes(kind));
    },
    withToken,
    anybody: createAppClient(app.http, { 'user-agent': browsers[0] ?? '' }, '192.0.2.17'),
    stop: () => app.stop(),
  };
}

function takeFirst(agenda: { at: number; happens: () => Promise<unknown> }[]) {
  let first = 0;
  for (const [at, item] of agenda.entries()) {
    if (item.at < (agenda[first]?.at ?? 0)) first = at;
  }
  return agenda.splice(first, 1)[0];
}
