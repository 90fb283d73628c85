import { expect, test } from 'vitest';
import { render } from '../../src/domains/health/events/rendering.ts';
import { eachDatabase } from '../harness/services/databases.ts';
import { listRows, upgraded } from './upgraded-database.ts';

const at = '2026-11-01T09:00:00.000Z';
const by = {
  createdAt: at,
  createdBy: 'ada',
  createdByType: 'User',
  lastModifiedAt: at,
  lastModifiedBy: 'ada',
  lastModifiedByType: 'User',
} as const;
const body = render('ONE', by, {
  eventType: 'ServiceIssue',
  title: 'Ärger',
  priority: 1,
  lastUpdateTime: at,
  impact: [
    {
      impactedService: 'Mail',
      impactedRegions: [{ impactedRegion: 'Île', impactedSubscriptions: ['x'], impactedTenants: ['y'] }],
    },
  ],
});

const before = [
  `insert into health_events (name, name_key, revision, sort_at, event_type, event_source, status, event_level, level,
      is_hir, priority, impact_start_at, facets, audiences, body)
    values ('ONE', 'one', 1, -1, 'ServiceIssue', '', 'Active', '', '', 0, 1, 1, '', '', '${body}')`,
];

eachDatabase('health events from before the search index', (dialect) => {
  test('are found by their text', async () => {
    const database = await upgraded(dialect, '0046-data-requests', before);
    expect(await listRows(database, 'health_events', 'seq')).toMatchObject([
      { search_key: 'arger\none\nmail\nile', body },
    ]);
  });
});
