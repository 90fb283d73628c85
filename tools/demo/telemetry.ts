import { apps_get, logs_send } from '@mooring/contract';
import type { Ctx } from '../../packages/server/src/context.ts';
import { tx } from '../../packages/server/src/db/tx.ts';
import { filesFolder, type PartRef } from '../../packages/server/src/domains/analytics/parts/files.ts';
import { publishParts, storePart } from '../../packages/server/src/domains/analytics/parts/parts.ts';
import { type LogBatch, type Staged, toDay } from '../../packages/server/src/telemetry/index.ts';
import { getManager, toAppPath } from './community.ts';
import { generateLogs } from './devices.ts';
import { apps, type DemoApp } from './orgs.ts';
import type { Stage } from './stage.ts';
import type { Usage } from './usage.ts';

/** Older days accept no more logs. */
const OPEN_DAYS = 28;

/**
 * Telemetry of some apps. Past days are written as files, because the server only accepts recent logs; today's logs are
 * sent.
 */
export async function fillTelemetry(stage: Stage, usages: readonly Usage[]): Promise<void> {
  const ctx = stage.system();
  const until = stage.now();
  // The telemetry of the next app is generated while the files of the previous one are written.
  let writing = Promise.resolve();
  const ofToday: { app_secret: string; sent: LogBatch[] }[] = [];
  for (const [at, usage] of usages.entries()) {
    const app = apps.find(({ name }) => name === usage.app) as DemoApp;
    const { id, app_secret } = await (await stage.as(getManager(app)))(apps_get, { params: toAppPath(app) });
    const today = toDay(until);
    const sent: LogBatch[] = [];
    const past = function* () {
      for (const { installId, logs } of generateLogs(usage, until, 77 + at)) {
        const news = logs.filter((log) => toDay(log.at) === today);
        if (news.length > 0) sent.push({ installId, logs: news });
        yield { installId, logs: news.length > 0 ? logs.filter((log) => toDay(log.at) < today) : logs };
      }
    };
    const [staged] = await Promise.all([ctx.telemetry.stage(past()), writing]);
    writing = keepDays(ctx, id, staged);
    ofToday.push({ app_secret, sent });
  }
  await writing;
  for (const { app_secret, sent } of ofToday) {
    for (const { installId, logs } of sent) {
      await stage.anybody(logs_send, {
        query: {},
        headers: { 'app-secret': app_secret, 'install-id': installId },
        body: new TextEncoder().encode(JSON.stringify({ logs: logs.map(({ value }) => value) })),
      });
    }
  }
}

async function keepDays(ctx: Ctx, appId: string, staged: Staged): Promise<void> {
  const folder = await filesFolder(ctx);
  const sealed = toDay(ctx.clock.now()) - OPEN_DAYS;
  try {
    const drafts: PartRef[] = [];
    // One day is stored while the next is generated.
    let storing = Promise.resolve();
    for (const { day } of staged.days) {
      const written = await staged.write(day, [], folder);
      await storing;
      if (!written) continue;
      storing = storePart(ctx, appId, written, { isSealed: day < sealed }).then((draft) => void drafts.push(draft));
    }
    await storing;
    await tx(ctx, (ctx) => publishParts(ctx, appId, drafts));
  } finally {
    await staged.release();
  }
}
