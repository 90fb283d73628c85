import { statement } from '../analytics.tables.ts';

const shown = ['name', 'description', 'definition', 'is_enabled', 'custom_properties', 'changed_at'] as const;

export const listAudienceRows = statement((q, p: { appId: string }) =>
  q.selectFrom('analytics_audiences').select(shown).where('app_id', '=', p.appId).orderBy('name'),
);
export type AudienceRow = Awaited<ReturnType<typeof listAudienceRows.all>>[number];

export const findAudience = statement((q, p: { appId: string; name: string }) =>
  q.selectFrom('analytics_audiences').select(shown).where('app_id', '=', p.appId).where('name', '=', p.name),
);

export const saveAudience = statement(
  (
    q,
    p: {
      appId: string;
      name: string;
      description: string;
      definition: string;
      isEnabled: 0 | 1;
      custom: string;
      now: number;
    },
  ) => {
    const values = {
      description: p.description,
      definition: p.definition,
      is_enabled: p.isEnabled,
      custom_properties: p.custom,
      changed_at: p.now,
    };
    return q
      .insertInto('analytics_audiences')
      .values({ app_id: p.appId, name: p.name, ...values })
      .onConflict((c) => c.columns(['app_id', 'name']).doUpdateSet(values));
  },
);

export const deleteAudienceRow = statement((q, p: { appId: string; name: string }) =>
  q.deleteFrom('analytics_audiences').where('app_id', '=', p.appId).where('name', '=', p.name),
);
