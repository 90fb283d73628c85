import { integer, must, optional } from '../setting-kinds.ts';
import { isPostgres } from './open.ts';

export const dbSettings = {
  databaseUrl: optional(
    {
      variable: 'MOORING_DATABASE_URL',
      description: 'PostgreSQL database: `postgres://user:password@host:port/name`. Unset: SQLite in the data folder.',
      secret: true,
    },
    (value) => {
      must(isPostgres(value) && URL.canParse(value), 'a URL such as postgres://user:password@host:5432/mooring');
      return value;
    },
  ),
  databasePool: integer(
    { variable: 'MOORING_DATABASE_POOL', description: 'Maximum number of PostgreSQL connections per server process.' },
    10,
    1,
    500,
  ),
};
