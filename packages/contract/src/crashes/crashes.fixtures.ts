import { apps_get } from '../apps/apps.contract.ts';
import { type Fixtures, until } from '../fixtures/fixtures.ts';
import { logs_send } from '../ingest/logs.contract.ts';
import { installExample, logsExample } from '../ingest/logs.examples.ts';
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

/** Crashes of one device: three problems, two with the same cause, and an attachment of the first. */
export async function addCrashes(fixtures: Fixtures): Promise<void> {
  const { ada, server, ids } = fixtures;
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
  const existing = await issues();
  // In fixtures that are restored, the issues may have been merged, all of them or the first with another.
  const isMerged = existing.length === 1 || !existing.some(({ method }) => method === 'pay');
  for (const { id } of isMerged ? existing : []) {
    const one = { ...params, issue_id: id };
    const { parts } = await ada.call(crashIssues_get, { params: one, query: {} });
    const keys = parts.slice(1).map(({ key }) => key);
    if (keys.length > 0) await ada.call(crashIssues_split, { params: one, body: { keys } });
  }
  // Reports are processed in the background.
  await until(server, async () => (await issues()).length > 1);
  const found = new Map((await issues()).map((issue) => [issue.method, issue.id]));
  // If the issues were merged in another order, the remaining one represents all.
  const [any = ''] = found.values();
  const [pay = any, refund, ship] = ['pay', 'refund', 'ship'].map((method) => found.get(method));
  const { crash_groups } = await ada.call(crashGroups_list, { params, query: {} });
  const group = crash_groups.find(({ reason_frame }) => reason_frame?.method === 'pay');
  if (!group) throw new Error(`The fixtures have no crash in pay, only in ${JSON.stringify([...found])}.`);
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
