import type { TestApp } from './app.ts';

const values = (text: string | null): Record<string, unknown> | undefined => (text ? JSON.parse(text) : undefined);

/** Audit events with these actions, oldest first. An action may be a prefix. */
export async function recorded(app: TestApp, actions: string) {
  const rows = await app.database.query((q) => q.selectFrom('audit_events').selectAll().orderBy('id'));
  return rows
    .filter(({ action }) => action.startsWith(actions))
    .map((row) => ({
      action: row.action,
      subject: { kind: row.subject_kind, id: row.subject_id, name: row.subject_name },
      by: row.actor_name,
      orgId: row.org_id,
      appId: row.app_id,
      before: values(row.before),
      after: values(row.after),
    }));
}

/** The same in short: action, subject, before and after. */
export const changes = async (app: TestApp, actions: string) =>
  (await recorded(app, actions)).map(({ action, subject, before, after }) => [action, subject.name, before, after]);
