import { insertInto, statement } from './uploads.tables.ts';

export const savePackedFile = insertInto('packed_files', (insert) =>
  insert.onConflict((c) =>
    c.column('key').doUpdateSet((e) => ({ type: e.ref('excluded.type'), body: e.ref('excluded.body') })),
  ),
);

export const findPackedFile = statement((q, p: { key: string }) =>
  q.selectFrom('packed_files').select(['type', 'body']).where('key', '=', p.key),
);

export const deletePackedFile = statement((q, p: { key: string }) =>
  q.deleteFrom('packed_files').where('key', '=', p.key),
);
