import { createHash } from 'node:crypto';
import {
  apps_get,
  crashIssues_list,
  crashIssues_update,
  logs_send,
  symbolUploads_complete,
  symbolUploads_create,
} from '@mooring/contract';
import { processApp } from '../../packages/server/src/domains/crashes/reports/processing/processing.ts';
import { DAY, SECOND } from '../../packages/server/src/kernel/clock.ts';
import { receiveFile } from '../../packages/server/src/uploads/chunks.ts';
import { openUpload } from '../../packages/server/src/uploads/uploads.ts';
import { createRandom } from '../samples/random.ts';
import { getManager, toAppPath } from './community.ts';
import { generateLogs } from './devices.ts';
import { apps, type DemoApp } from './orgs.ts';
import type { Stage } from './stage.ts';
import { pickWeighted, type Usage, type Weighted } from './usage.ts';

/** Servers reject logs that are older than 25 days. */
const DAYS = 24;
/** Issues found before this time are closed or ignored; later reports may reopen them. */
const REVIEWED = 8;

type Device = Readonly<Record<string, unknown>> & { appVersion?: string; appBuild?: string };

/** A problem, as a device reports it. */
interface Problem {
  /** The type of the exception. */
  type: string;
  weight: number;
  log: (device: Device) => object;
}

const image = (name: string, path: string, id: string, start: number) => ({
  name,
  path,
  id,
  startAddress: `0x${start.toString(16)}`,
  endAddress: `0x${(start + 0xfffff).toString(16)}`,
  primaryArchitectureId: 16_777_228,
  architectureVariantId: 0,
});
const bundle = '/private/var/containers/Bundle/Application/5D2E/Timetable.app';
const BASE = 0x104_000_000;

/** An ID of the binary, different in every version. */
const binaryId = ({ appVersion = '' }: Device): string =>
  createHash('md5')
    .update(`timetable ${appVersion}`)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

const apple =
  (signal: string, frames: { offset: number; code: string }[], more: object = {}) =>
  (device: Device) => ({
    type: 'appleError',
    primaryArchitectureId: 16_777_228,
    applicationPath: `${bundle}/Timetable`,
    osExceptionType: signal,
    osExceptionCode: '#0',
    osExceptionAddress: '0x00000001f1a9a7d8',
    fatal: true,
    errorThreadId: 0,
    threads: [
      {
        id: 0,
        frames: [
          ...frames.map(({ offset, code }) => ({ address: `0x${(BASE + offset).toString(16)}`, code })),
          { address: '0x1a00004c0', code: 'UIApplicationMain + 340' },
        ],
      },
    ],
    binaries: [
      image('Timetable', `${bundle}/Timetable`, binaryId(device), BASE),
      image(
        'UIKitCore',
        '/System/Library/PrivateFrameworks/UIKitCore.framework/UIKitCore',
        '7e'.repeat(16),
        0x1a0_000_000,
      ),
    ],
    ...more,
  });

const javaFrame = (className: string, methodName: string, lineNumber: number, fileName: string) => ({
  className,
  methodName,
  lineNumber,
  fileName,
});
const loop = javaFrame('android.os.Looper', 'loop', 288, 'Looper.java');

const java =
  (exception: { type: string; message: string; frames: object[] }, isCaught = false) =>
  () => ({
    type: isCaught ? 'handledError' : 'managedError',
    ...(isCaught ? { properties: { screen: 'Tickets' } } : { fatal: true, errorThreadId: 1, errorThreadName: 'main' }),
    exception,
    ...(isCaught ? {} : { threads: [{ id: 1, name: 'main', frames: [loop] }] }),
  });

const problems: Partial<Record<DemoApp['name'], Problem[]>> = {
  'timetable-ios': [
    {
      type: 'NSRangeException',
      weight: 5,
      log: apple(
        'SIGABRT',
        [
          { offset: 0x4a10, code: '-[DepartureList departureAtIndex:] + 88' },
          { offset: 0x51c4, code: '-[BoardController refresh:] + 240' },
        ],
        { exceptionType: 'NSRangeException', exceptionReason: 'index 12 beyond bounds [0 .. 11]' },
      ),
    },
    {
      type: 'SIGSEGV',
      weight: 3,
      log: apple('SIGSEGV', [{ offset: 0x7720, code: '-[TileCache readTile:] + 32' }]),
    },
    { type: 'SIGTRAP', weight: 2, log: apple('SIGTRAP', [{ offset: 0x9f30, code: '' }]) },
  ],
  'tickets-android': [
    {
      type: 'java.lang.NullPointerException',
      weight: 5,
      log: java({
        type: 'java.lang.NullPointerException',
        message: 'Attempt to read the price of a ticket that is null',
        frames: [javaFrame('a.b.c', 'a', 41, 'SourceFile'), javaFrame('a.b.d', 'b', 17, 'SourceFile'), loop],
      }),
    },
    {
      type: 'java.lang.IllegalStateException',
      weight: 3,
      log: java({
        type: 'java.lang.IllegalStateException',
        message: 'Cannot pay twice',
        frames: [javaFrame('a.b.d', 'c', 23, 'SourceFile'), loop],
      }),
    },
    {
      type: 'java.net.SocketTimeoutException',
      weight: 4,
      log: java(
        {
          type: 'java.net.SocketTimeoutException',
          message: 'timeout after 10000 ms',
          frames: [javaFrame('a.b.e', 'a', 12, 'SourceFile'), loop],
        },
        true,
      ),
    },
  ],
};

const mapping = `# compiler: R8
com.saltmarsh.tickets.Ticket -> a.b.c:
    41:41:int price():88:88 -> a
com.saltmarsh.tickets.Checkout -> a.b.d:
    17:17:void total():132:132 -> b
    23:23:void pay(java.lang.String):160:160 -> c
com.saltmarsh.tickets.Backend -> a.b.e:
    12:12:void fetch():54:54 -> a
`;

interface Happened {
  at: number;
  installId: string;
  log: object;
}

/** Sessions of the last weeks that ended with a crash or an error, oldest first. */
function breakSome(usage: Usage, problemList: readonly Problem[], until: number, seed: number) {
  const chance = createRandom(seed);
  const uuid = () =>
    createHash('md5')
      .update(`${seed} ${chance.next()}`)
      .digest('hex')
      .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  const weighted: Weighted<Problem> = problemList.map((one) => [one, one.weight]);
  const [fleeting] = problemList;
  const found: (Happened & { device: Device; problem: Problem })[] = [];
  for (const { installId, logs } of generateLogs(usage, until, 77 + seed)) {
    for (const { at, value } of logs) {
      const { type, sid, device } = value as { type: string; sid: string; device: Device };
      if (type !== 'startSession' || at < until - DAYS * DAY || at > until - 300 * SECOND) continue;
      if (chance.next() > 0.04) continue;
      const when = at + chance.between(20, 280) * SECOND;
      const problem = pickWeighted(chance, weighted);
      const common = { id: uuid(), sid, device, timestamp: new Date(when).toISOString(), processId: 4711 };
      found.push({ at: when, installId, device, problem, log: { ...problem.log(device), ...common } });
    }
  }
  const versions = [...new Set(found.map(({ device }) => device.appVersion ?? ''))].sort((one, other) =>
    one.localeCompare(other, 'en', { numeric: true }),
  );
  const newest = versions.at(-1);
  // The first problem was fixed before the newest version, and occurs again in it.
  const happened = found
    .filter(({ at, device, problem }) =>
      problem === fleeting ? at < until - REVIEWED * DAY !== (device.appVersion === newest) : true,
    )
    .sort((one, other) => one.at - other.at);
  return { happened, versions, builds: new Map(found.map(({ device }) => [device.appVersion, device.appBuild ?? ''])) };
}

/** Crashes of some apps, in all states: one regression, and some without symbols. */
export async function fillCrashes(stage: Stage, usages: readonly Usage[]): Promise<void> {
  const until = stage.now();
  for (const [seed, usage] of usages.entries()) {
    const problemList = problems[usage.app];
    if (!problemList) continue;
    const app = apps.find(({ name }) => name === usage.app) as DemoApp;
    const params = toAppPath(app);
    const call = await stage.as(getManager(app));
    const { id, app_secret } = await call(apps_get, { params });
    const send = async (some: readonly Happened[]) => {
      for (const { installId, log } of some) {
        await stage.anybody(logs_send, {
          query: {},
          headers: { 'app-secret': app_secret, 'install-id': installId },
          body: new TextEncoder().encode(JSON.stringify({ logs: [log] })),
        });
      }
      await processApp(stage.system(), id);
    };
    const { happened, versions, builds } = breakSome(usage, problemList, until, seed);
    // The newest version has no mapping yet: its page names it, and how to upload it.
    if (usage.app === 'tickets-android') {
      for (const version of versions.slice(0, -1)) {
        await uploadMapping(stage, call, params, { version, build: builds.get(version) ?? '' });
      }
    }
    await send(happened.filter(({ at }) => at < until - REVIEWED * DAY));
    const { values } = await call(crashIssues_list, { params, query: {} });
    const decide = async (problem: Problem | undefined, body: { state: 'closed' | 'ignored'; annotation: string }) => {
      const issue = values.find(({ exception_type }) => exception_type === problem?.type);
      if (issue) await call(crashIssues_update, { params: { ...params, issue_id: issue.id }, body });
    };
    await decide(problemList[0], { state: 'closed', annotation: 'Fixed: the list is now read only once.' });
    await decide(problemList[1], { state: 'ignored', annotation: 'Occurs only on devices that run out of memory.' });
    await send(happened.filter(({ at }) => at >= until - REVIEWED * DAY));
  }
  await stage.runJobs();
}

async function uploadMapping(
  stage: Stage,
  call: Awaited<ReturnType<Stage['as']>>,
  params: ReturnType<typeof toAppPath>,
  ofVersion: { version: string; build: string },
): Promise<void> {
  const body = { symbol_type: 'AndroidProguard', file_name: 'mapping.txt', ...ofVersion } as const;
  const { symbol_upload_id, upload_url } = await call(symbolUploads_create, { params, body });
  const { pathname, searchParams } = new URL(upload_url);
  const ctx = stage.system();
  const upload = await openUpload(ctx, pathname.split('/').at(-1) ?? '', searchParams.get('token') ?? '');
  const bytes = Buffer.from(mapping);
  let received = 0;
  await receiveFile(ctx, upload, {
    content: (async function* () {
      yield bytes;
      received = bytes.length;
    })(),
    get received() {
      return received;
    },
    sha256: () => createHash('sha256').update(bytes).digest('hex'),
  });
  await call(symbolUploads_complete, { params: { ...params, symbol_upload_id }, body: { status: 'committed' } });
  await stage.runJobs();
}
