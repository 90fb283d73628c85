import { integer, must, optional } from '../setting-kinds.ts';
import { isPostgres } from './open.ts';

export const dbSettings = {
  databaseUrl: optional(
    {
      variable: 'MOORING_DATABASE_URL',
      description: '`postgres://user:password@host:port/name`. Unset: SQLite in the data folder.',
      secret: true,
    },
    (value) => {
      must(isPostgres(value) && URL.canParse(value), 'an address such as postgres://user:password@host:5432/mooring');
      return value;
    },
  ),
  databasePool: integer(
    { variable: 'MOORING_DATABASE_POOL', description: 'PostgreSQL connections of one server process.' },
    10,
    1,
    500,
  ),
};
