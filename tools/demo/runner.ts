import {
  runnerJobs_events,
  runnerJobs_file,
  runnerJobs_finish,
  runnerJobs_log,
  runnerJobs_take,
  runners_declare,
  runners_inviteForOrg,
  runners_register,
  type TestEvent,
} from '@mooring/contract';
import type { Static } from 'typebox';
import type { OrgName } from './orgs.ts';
import type { Stage } from './stage.ts';

const phone = (key: string, manufacturer: string, model: string, os: string) => ({
  ...{ key, manufacturer, model, os, platform: 'android' as const, form_factor: 'phone' as const },
  is_emulated: false,
  frameworks: ['appium' as const],
});
const devices = [
  phone('R5CT10', 'Samsung', 'Galaxy S24', '15'),
  phone('2A111F', 'Google', 'Pixel 8', '16'),
  phone('XQDC54', 'Sony', 'Xperia 5 V', '14'),
];
const tools = [
  { name: 'git', version: '2.47.3' },
  { name: 'java', version: '21.0.8' },
  { name: 'gradle', version: '8.14' },
  { name: 'node', version: '26.10.0' },
  { name: 'appium', version: '3.8.0' },
];

/** The result of a finished job. */
export interface Done {
  /** The duration. */
  seconds: number;
  log?: string;
  files?: { name: string; kind: 'build' | 'screenshot' | 'device-log'; content: Buffer }[];
  events?: Static<typeof TestEvent>[];
  result?: 'succeeded' | 'failed';
  reason?: string;
}

export interface DemoRunner {
  /** Registers the runner, with its tools and phones. */
  wake(): Promise<void>;
  /** Claims the next job, if there is one, and does it. */
  work(doing: (work: Record<string, unknown>) => Done): Promise<boolean>;
}

/** The runner of an organization that builds and tests, from the server's perspective. */
export async function openRunner(stage: Stage, org_name: OrgName, manager: string, name: string): Promise<DemoRunner> {
  const { code } = await (await stage.as(manager))(runners_inviteForOrg, { params: { org_name }, body: {} });
  const { token } = await stage.anybody(runners_register, { body: { code, name } });
  const own = { 'x-runner-token': token };
  const registration = { protocol: 1, version: '1.0.0', labels: ['linux', 'arm64'], tools, slots: 4, devices };
  return {
    wake: async () => void (await stage.anybody(runners_declare, { headers: own, body: registration })),
    async work(doing) {
      const job = await stage.anybody(runnerJobs_take, { headers: own, query: { wait: 0 }, body: {} });
      if (!job) return false;
      const { seconds, log = '', files = [], events = [], result = 'succeeded', reason } = doing(job.work);
      stage.pass(seconds);
      const [params, headers] = [{ job_id: job.id }, { 'x-job-token': job.token }];
      const text = new TextEncoder().encode(log);
      if (log) await stage.anybody(runnerJobs_log, { params, headers, query: { offset: 0 }, body: text });
      for (const { name, kind, content } of files) {
        const file = new Blob([new Uint8Array(content)], { type: 'application/octet-stream' });
        const path = { ...params, upload_id: stage.system().newId() };
        await stage.anybody(runnerJobs_file, { params: path, headers, query: { name, kind }, file });
      }
      if (events.length > 0) await stage.anybody(runnerJobs_events, { params, headers, body: { from: 0, events } });
      const body = { result, ...(reason ? { reason } : {}) };
      await stage.anybody(runnerJobs_finish, { params, headers, body });
      await stage.runJobs();
      return true;
    },
  };
}
