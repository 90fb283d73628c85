import type { Deps } from '../../../context.ts';
import { definedJobs, findJobProblems } from '../../../jobs/index.ts';
import { MINUTE, SECOND } from '../../../kernel/clock.ts';
import type { EventProperties } from '../events/rendering.ts';

interface Component {
  /** Name of the impacted service. */
  service: string;
  title: string;
  level: EventProperties['eventLevel'];
  /** Public texts for each reason, without addresses or internal errors. */
  reasons: Readonly<Record<string, string>>;
}

export const components = {
  database: {
    service: 'Mooring database',
    title: 'Database problems on this server',
    level: 'Critical',
    reasons: {
      down: 'The database cannot be reached, so most requests fail.',
      slow: 'The database responds slowly, so requests take longer.',
    },
  },
  jobs: {
    service: 'Mooring background jobs',
    title: 'Background jobs on this server are delayed',
    level: 'Error',
    reasons: { late: 'Background work, such as sending email, starts late.' },
  },
  files: {
    service: 'Mooring files',
    title: 'Files cannot be stored on this server',
    level: 'Error',
    reasons: { down: 'The file storage rejects requests or does not respond, so uploads fail.' },
  },
  telemetry: {
    service: 'Mooring telemetry',
    title: 'Telemetry on this server cannot be queried',
    level: 'Warning',
    reasons: {
      down: 'The telemetry engine does not respond. Data from devices is still stored, and appears in charts once it responds.',
    },
  },
  mail: {
    service: 'Mooring email',
    title: 'Emails from this server are not delivered',
    level: 'Warning',
    reasons: {
      down: 'The mail server rejects emails or does not respond. Emails wait until it works again.',
      lost: 'Some emails could not be delivered after many attempts.',
    },
  },
} satisfies Record<string, Component>;

export type ComponentName = keyof typeof components;
export const componentNames = Object.keys(components) as ComponentName[];

/** Reason for a failure; undefined if the component is healthy or not in use. */
export type ComponentProblem = string | undefined;

const PROBE_TIMEOUT_MS = 10 * SECOND;
const LATE = MINUTE;
const LOST_WITHIN = 15 * MINUTE;

async function respondsInTime(deps: Deps, component: ComponentName, work: () => Promise<unknown>): Promise<boolean> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no response within ${PROBE_TIMEOUT_MS} ms`)), PROBE_TIMEOUT_MS);
  try {
    await Promise.race([work(), late]);
    return true;
  } catch (err) {
    deps.log.warn({ component, err }, 'a component of this server is unhealthy');
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/** Probes everything but the database, which is probed by writing the state. */
export async function probeComponents(
  deps: Deps,
): Promise<Record<Exclude<ComponentName, 'database'>, ComponentProblem>> {
  const now = deps.clock.now();
  const { mailer } = deps;
  const [files, telemetry, mail, jobs] = await Promise.all([
    respondsInTime(deps, 'files', () => deps.blobs.check()),
    respondsInTime(deps, 'telemetry', () => deps.telemetry.check()),
    mailer ? respondsInTime(deps, 'mail', () => mailer.check()) : true,
    findJobProblems(deps, {
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
