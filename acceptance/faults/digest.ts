import { createHash } from 'node:crypto';
import type { Installation } from './installation.ts';

/** Data that changes independently of requests: counters and background work. */
const apart = new Set([
  ...['rate_counts', 'sign_in_failures', 'jobs', 'deliveries', 'delivery_attempts', 'health_changes'],
  ...['ingest_minutes', 'ingest_cursors', 'analytics_parts', 'analytics_leases', 'analytics_forgotten'],
  ...[
    'announcements',
    'digest_items',
    'mailed',
    'alerts',
    'runner_device_failures',
    'crash_reprocessings',
    'build_pushes',
  ],
]);
const apartColumns = new Set(['last_used_at', 'last_seen_at', 'sent_at', 'error', 'failing_since']);
/** Tables with some columns or rows that change without a request. */
const questions: Record<string, string> = {
  // The server disables webhooks that fail.
  audit_events: `SELECT count(*) AS n, max(id) AS last FROM audit_events WHERE actor_kind <> 'system'`,
  delivery_endpoints: 'SELECT id, channel, url, secret FROM delivery_endpoints',
  // The server checks rules, releases jobs of silent runners, and records errors of repositories.
  alert_rules: 'SELECT id, app_id, name, kind, threshold, is_enabled FROM alert_rules',
  runner_jobs: 'SELECT id, app_id, kind FROM runner_jobs',
  package_tests: 'SELECT run_id, app_id, sha256 FROM package_tests',
  test_runs: 'SELECT id, app_id, series, framework, parameters, is_stopped, is_archived FROM test_runs',
  test_run_devices: 'SELECT run_id, position, device, job_id FROM test_run_devices',
  // Exports, bug trackers and data requests are processed by a schedule.
  export_configurations: 'SELECT app_id, id, type, settings, secret, entities, backfill FROM export_configurations',
  bug_trackers: 'SELECT app_id, id, type, base_url, project, token, is_automatic FROM bug_trackers',
  tickets: 'SELECT id, app_id, issue_id FROM tickets',
  sender_requests: 'SELECT id, app_id, kind FROM sender_requests',
  builds: 'SELECT app_id, id, branch, commit_sha, reason, job_id FROM builds',
  build_repositories: 'SELECT app_id, id, url, type, kept, username, password FROM build_repositories',
  mails: 'SELECT count(*) AS n, max(id) AS last FROM mails',
};

/** Hashes each table, without data that changes independently of requests. */
export async function digestTables(installation: Installation): Promise<Record<string, string>> {
  const digests: Record<string, string> = {};
  for (const table of await installation.tables()) {
    if (apart.has(table)) continue;
    const rows = (await installation.rows(questions[table] ?? `SELECT * FROM ${table}`)).map((row) =>
      JSON.stringify(Object.entries(row).filter(([name]) => !apartColumns.has(name))),
    );
    digests[table] = createHash('sha256').update(rows.sort().join('\n')).digest('hex').slice(0, 12);
  }
  return digests;
}
