import type { Deps } from '../../../context.ts';
import { definedJobs, findJobTrouble } from '../../../jobs/index.ts';
import { MINUTE, SECOND } from '../../../kernel/clock.ts';
import type { EventProperties } from '../events/rendering.ts';

interface Component {
  /** As the impacted service is called. */
  service: string;
  title: string;
  level: EventProperties['eventLevel'];
  /** Why it is not well, in words for everybody: no address and no error of ours. */
  reasons: Readonly<Record<string, string>>;
}

export const components = {
  database: {
    service: 'Mooring database',
    title: 'The database of this server is not well',
    level: 'Critical',
    reasons: {
      down: 'The database cannot be reached, so most requests fail.',
      slow: 'The database answers slowly, so requests take long.',
    },
  },
  jobs: {
    service: 'Mooring background jobs',
    title: 'Background work of this server is delayed',
    level: 'Error',
    reasons: { late: 'Work that is done after a request, such as sending mail, begins late.' },
  },
  files: {
    service: 'Mooring files',
    title: 'Files cannot be kept on this server',
    level: 'Error',
    reasons: { down: 'The store of files refuses or does not answer, so uploads fail.' },
  },
  telemetry: {
    service: 'Mooring telemetry',
    title: 'Telemetry of this server cannot be looked at',
    level: 'Warning',
    reasons: { down: 'What counts telemetry does not answer. What devices send is kept, and shown when it does.' },
  },
  mail: {
    service: 'Mooring mail',
    title: 'Mail of this server is not delivered',
    level: 'Warning',
    reasons: {
      down: 'The mail server refuses or does not answer; mails wait until it does.',
      lost: 'Mails were given up after many attempts.',
    },
  },
} satisfies Record<string, Component>;

export type ComponentName = keyof typeof components;
export const componentNames = Object.keys(components) as ComponentName[];

/** What is wrong with a component; nothing if it is well or not in use. */
export type Trouble = string | undefined;

const PATIENCE = 10 * SECOND;
const LATE = MINUTE;
const LOST_WITHIN = 15 * MINUTE;

async function isAnswered(deps: Deps, component: ComponentName, work: () => Promise<unknown>): Promise<boolean> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${PATIENCE} ms`)), PATIENCE);
  try {
    await Promise.race([work(), late]);
    return true;
  } catch (err) {
    deps.log.warn({ component, err }, 'a component of this server is not well');
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/** Looks at everything but the database, which is looked at by writing down that this is done. */
export async function probeComponents(deps: Deps): Promise<Record<Exclude<ComponentName, 'database'>, Trouble>> {
  const now = deps.clock.now();
  const { mailer } = deps;
  const [files, telemetry, mail, jobs] = await Promise.all([
    isAnswered(deps, 'files', () => deps.blobs.check()),
    isAnswered(deps, 'telemetry', () => deps.telemetry.check()),
    mailer ? isAnswered(deps, 'mail', () => mailer.check()) : true,
    findJobTrouble(deps, {
      names: definedJobs().map(({ name }) => name),
      lost: 'mail.deliver',
      since: now - LOST_WITHIN,
    }),
  ]);
  return {
    files: files ? undefined : 'down',
    telemetry: telemetry ? undefined : 'down',
    mail: mail ? (jobs.isLost ? 'lost' : undefined) : 'down',
    jobs: jobs.oldestDueAt !== undefined && now - jobs.oldestDueAt > LATE ? 'late' : undefined,
  };
}
