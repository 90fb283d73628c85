import type { Client } from '@mooring/contract';
import { createApp } from '../../packages/server/src/app.ts';
import type { Config } from '../../packages/server/src/config.ts';
import { type Ctx, systemCtx, type User } from '../../packages/server/src/context.ts';
import { tx } from '../../packages/server/src/db/tx.ts';
import {
  addUser,
  type NewUser,
  openSession,
  type withPasswordHash,
} from '../../packages/server/src/domains/accounts/index.ts';
import { DAY, SECOND } from '../../packages/server/src/kernel/clock.ts';
import { createLog } from '../../packages/server/src/kernel/log.ts';
import { open } from '../../packages/server/src/kernel/sealed.ts';
import type { Chance } from '../chance.ts';
import { clientOf } from './client.ts';

type PasswordHash = Awaited<ReturnType<typeof withPasswordHash>>['passwordHash'];

/** The server without ports, in a time that goes by as the story is told. */
export interface Stage {
  /** Puts something on the agenda. */
  plan(at: number, happens: () => Promise<unknown>): void;
  /** Does what waits to be done after all that has happened so far. */
  runJobs(): Promise<unknown>;
  /** Lets everything on the agenda happen, in the order of time. */
  play(): Promise<void>;
  now(): number;
  /** Lets so many seconds go by. */
  pass(seconds: number): void;
  /** The server itself, for what comes from no person. */
  system(): Ctx;
  addPerson(person: Omit<NewUser, 'password'> & { name: string }, passwordHash: PasswordHash): Promise<void>;
  /** The API as somebody sees it who is signed in to the console. */
  as(name: string): Promise<Client>;
  /** The newest link of a kind that somebody was mailed. */
  linkTo(email: string, kind: string): Promise<string | undefined>;
  /** The API with a token. */
  withToken(token: string): Client;
  /** The API for whoever comes along. */
  anybody: Client;
  stop(): Promise<void>;
}

const browsers = [
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
];

/** The world outside, which takes what it is sent; now and then it is busy, and has to be asked again. */
function createReceivers() {
  let asked = 0;
  return async () => {
    asked += 1;
    const isBusy = asked % 7 === 3;
    return { status: isBusy ? 503 : 204, headers: {}, body: Buffer.from(isBusy ? 'Busy, come again later.' : '') };
  };
}

/** Ids that carry the story's time and are the same in every telling. */
function createIds(now: () => number): () => string {
  let made = 0;
  return () => {
    made += 1;
    const time = now().toString(16).padStart(12, '0');
    const count = made.toString(16).padStart(12, '0');
    // The count comes right after the time, so that ids of one millisecond keep their order.
    return `${time.slice(0, 8)}-${time.slice(8)}-7${count.slice(-9, -6)}-8${count.slice(-6, -3)}-${count.slice(-3)}d${count.slice(-8)}`;
  };
}

export async function openStage(config: Config, start: number, chance: Chance): Promise<Stage> {
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
  const sessions = new Map<string, { client: Client; openedAt: number }>();
  const agenda: { at: number; happens: () => Promise<unknown> }[] = [];
  const withToken = (token: string) =>
    clientOf(
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
      // What happens may put more on the agenda, for later.
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
      if (open && time - open.openedAt < 0.9 * config.sessionDays * DAY) return open.client;
      const person = people.get(name);
      if (!person) throw new Error(`Nobody is called ${name} on ${new Date(time).toISOString()}.`);
      const { user, address, userAgent } = person;
      const { secret } = await openSession({ ...ctx(), origin: { address, userAgent, requestId: 'demo' } }, user);
      const headers = { cookie: `mooring_session=${secret}`, 'sec-fetch-site': 'same-origin', 'user-agent': userAgent };
      const client = clientOf(app.http, headers, address);
      sessions.set(name, { client, openedAt: time });
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
    anybody: clientOf(app.http, { 'user-agent': browsers[0] ?? '' }, '192.0.2.17'),
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
