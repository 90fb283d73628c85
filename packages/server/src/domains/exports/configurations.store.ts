import { type ExportConfigurationsTable, insertInto, statement, updateRow } from './exports.tables.ts';

export type ConfigurationRow = ExportConfigurationsTable;

export const insertConfiguration = insertInto('export_configurations');

export const listConfigurationRows = statement((q, p: { appId: string }) =>
  q.selectFrom('export_configurations').selectAll().where('app_id', '=', p.appId).orderBy('created_at').orderBy('id'),
);

export const findConfiguration = statement((q, p: { id: string }) =>
  q.selectFrom('export_configurations').selectAll().where('id', '=', p.id),
);

export const deleteConfigurationRow = statement((q, p: { id: string }) =>
  q.deleteFrom('export_configurations').where('id', '=', p.id),
);

export const updateConfigurationRow = updateRow('export_configurations');

/** Marks the export as working, after a failure or for the first time. */
export const startRow = statement((q, p: { id: string; state: 'Pending' | 'Enabled'; now: number }) =>
  q
    .updateTable('export_configurations')
    .set({ state: p.state, state_info: null, failing_since: null, failures: 0, due_at: p.now })
    .where('id', '=', p.id),
);

/** Stops the export. */
export const stopRow = statement(
  (q, p: { id: string; state: 'Disabled' | 'Invalid'; info: string | null; dueAt: number | null }) =>
    q
      .updateTable('export_configurations')
      .set({ state: p.state, state_info: p.info, due_at: p.dueAt })
      .where('id', '=', p.id),
);

export const dropPlan = statement((q, p: { id: string }) =>
  q.updateTable('export_configurations').set({ plan: null, reports_left: null }).where('id', '=', p.id),
);

/** Only if the stored value is the one that was read. */
export const saveReportsLeft = statement((q, p: { id: string; left: string | null; before: string }) =>
  q
    .updateTable('export_configurations')
    .set({ reports_left: p.left })
    .where('id', '=', p.id)
    .where('reports_left', '=', p.before),
);

/** Claims due exports until a time. */
export const claimDue = statement((q, p: { now: number; until: number }) =>
  q
    .updateTable('export_configurations')
    .set({ due_at: p.until })
    .where('due_at', '<=', p.now)
    .returning(['id', 'app_id']),
);

/** Only if the stored plan is the one that was read: of two concurrent updates, one fails. */
export const savePlan = statement((q, p: { id: string; plan: string; before: string }) =>
  q
    .updateTable('export_configurations')
    .set({ plan: p.plan })
    .where('id', '=', p.id)
    .where((e) => e.fn.coalesce('plan', e.val('')), '=', p.before),
);

export const finishPlan = statement((q, p: { id: string; window: number; now: number }) =>
  q
    .updateTable('export_configurations')
    .set({ plan: null, last_window: p.window, last_run_at: p.now, state: 'Enabled', state_info: null })
    .where('id', '=', p.id)
    .where('state', 'in', ['Pending', 'Enabled']),
);

/** All waiting data is written. */
export const restRow = statement((q, p: { id: string; now: number; dueAt: number }) =>
  q
    .updateTable('export_configurations')
    .set({ state: 'Enabled', state_info: null, last_run_at: p.now, failing_since: null, failures: 0, due_at: p.dueAt })
    .where('id', '=', p.id)
    .where('state', 'in', ['Pending', 'Enabled']),
);

export const setDue = statement((q, p: { id: string; dueAt: number }) =>
  q
    .updateTable('export_configurations')
    .set({ due_at: p.dueAt })
    .where('id', '=', p.id)
    .where('state', 'in', ['Pending', 'Enabled']),
);

export const failRow = statement(
  (q, p: { id: string; error: string; now: number; since: number; failures: number; dueAt: number }) =>
    q
      .updateTable('export_configurations')
      .set({
        last_error: p.error,
        last_error_at: p.now,
        failing_since: p.since,
        failures: p.failures,
        due_at: p.dueAt,
      })
      .where('id', '=', p.id)
      .where('state', 'in', ['Pending', 'Enabled']),
);
