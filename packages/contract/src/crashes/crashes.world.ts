import { apps_get } from '../apps/apps.contract.ts';
import { logs_send } from '../ingest/logs.contract.ts';
import { installExample, logsExample } from '../ingest/logs.examples.ts';
import { until, type World } from '../world/world.ts';
import { crashes_getRawCrashLocation, crashGroups_list } from './crash-groups.contract.ts';
import { crashIssues_get, crashIssues_list, crashIssues_merge, crashIssues_split } from './crash-issues.contract.ts';
import { exampleIds, sentIds } from './crashes.examples.ts';

const params = { owner_name: 'ada', app_name: 'compass' };
const device = logsExample.logs[0]?.device;
const sid = logsExample.logs[0]?.sid;

const crash = (id: string, methodName: string) => ({
  type: 'managedError',
  id,
  sid,
  userId: 'u-17',
  processId: 4711,
  processName: 'org.example.shop',
  fatal: true,
  errorThreadId: 2,
  exception: {
    type: 'java.lang.IllegalStateException',
    message: 'cart empty',
    frames: [{ className: 'org.example.shop.Cart', methodName, fileName: 'Cart.java', lineNumber: 88 }],
  },
  threads: [{ id: 2, name: 'main', frames: [] }],
  device,
});

/** Crashes of a device, three problems of which two are one, and a note that came with the first. */
export async function addCrashes(world: World): Promise<void> {
  const { ada, server, ids } = world;
  const { app_secret } = await ada.call(apps_get, { params });
  const timestamp = new Date(server.now()).toISOString();
  const attachment = {
    type: 'errorAttachment',
    id: sentIds.attachment,
    errorId: sentIds.crash,
    contentType: 'text/plain',
    fileName: 'note.txt',
    data: btoa('hello'),
    device,
  };
  const handled = { ...crash(sentIds.error, 'reload'), type: 'handledError', properties: { plan: 'pro' } };
  const crashes = [crash(sentIds.crash, 'pay'), crash(sentIds.second, 'refund'), crash(sentIds.third, 'ship')];
  const logs = [...crashes, attachment, handled].map((log) => ({ ...log, timestamp }));
  await ada.call(logs_send, {
    query: {},
    headers: { 'app-secret': app_secret, 'install-id': installExample },
    body: new TextEncoder().encode(JSON.stringify({ logs })),
  });
  const issues = async () => (await ada.call(crashIssues_list, { params, query: { kind: 'crash' } })).values;
  const known = await issues();
  // On a world that is mended, somebody may have merged them all, or the first with another.
  const isMerged = known.length === 1 || !known.some(({ method }) => method === 'pay');
  for (const { id } of isMerged ? known : []) {
    const one = { ...params, issue_id: id };
    const { parts } = await ada.call(crashIssues_get, { params: one, query: {} });
    const keys = parts.slice(1).map(({ key }) => key);
    if (keys.length > 0) await ada.call(crashIssues_split, { params: one, body: { keys } });
  }
  // Reports are made off the request's path.
  await until(server, async () => (await issues()).length > 1);
  const found = new Map((await issues()).map((issue) => [issue.method, issue.id]));
  // Where somebody has merged them otherwise, the one that is left stands for all.
  const [any = ''] = found.values();
  const [pay = any, refund, ship] = ['pay', 'refund', 'ship'].map((method) => found.get(method));
  const { crash_groups } = await ada.call(crashGroups_list, { params, query: {} });
  const group = crash_groups.find(({ reason_frame }) => reason_frame?.method === 'pay');
  if (!group) throw new Error(`The world has no crash in pay, only in ${JSON.stringify([...found])}.`);
  ids.set(exampleIds.group, group.crash_group_id);
  ids.set(exampleIds.issue, pay);
  if (refund && ship) {
    await ada.call(crashIssues_merge, { params: { ...params, issue_id: refund }, body: { issue_ids: [ship] } });
  }
  const merged = refund ?? ship ?? any;
  const { parts } = await ada.call(crashIssues_get, { params: { ...params, issue_id: merged }, query: {} });
  ids.set(exampleIds.mergedIssue, merged);
  ids.set(exampleIds.otherIssue, merged);
  ids.set(exampleIds.mergedKey, parts[0]?.key ?? '');
  const where = { ...params, crash_group_id: group.crash_group_id, crash_id: sentIds.crash };
  const { uri } = await ada.call(crashes_getRawCrashLocation, { params: where });
  ids.set(exampleIds.link, new URL(uri).pathname.split('/')[2] ?? '');
}
