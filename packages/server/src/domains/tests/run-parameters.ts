import { atLeast, SECRET_MASK } from '@mooring/contract';
import type { AppCtx, Ctx } from '../../context.ts';
import { sweep } from '../../db/sweep.ts';
import { badRequest } from '../../kernel/errors.ts';
import { open, seal } from '../../kernel/sealed.ts';
import { listUnsealed, type RunRow, saveSealed } from './test-runs.store.ts';

type Parameters = Record<string, unknown>;
type Stored = Pick<RunRow, 'parameters' | 'sealed_parameters'>;

const PURPOSE = 'test-parameters';

export const sealParameters = ({ secretKey }: Pick<Ctx, 'secretKey'>, parameters: Parameters): string =>
  seal(secretKey, PURPOSE, JSON.stringify(parameters));

/** With their values: for the runner. */
export function readParameters({ secretKey }: Pick<Ctx, 'secretKey'>, run: Stored): Parameters {
  if (run.sealed_parameters === null) return JSON.parse(run.parameters) as Parameters;
  const text = open(secretKey, PURPOSE, run.sealed_parameters);
  if (text === undefined) {
    throw badRequest('The parameters of this test run were sealed with another MOORING_SECRET_KEY. Start a new run.');
  }
  return JSON.parse(text) as Parameters;
}

/** Viewers and Read-Only tokens see the names: values often hold passwords. */
export function showParameters(ctx: AppCtx, run: Stored): Parameters {
  const parameters = readParameters(ctx, run);
  if (ctx.actor.reach === 'all' && atLeast(ctx.permission, 'developer')) return parameters;
  return Object.fromEntries(Object.keys(parameters).map((name) => [name, SECRET_MASK]));
}

/** Seals the parameters that an earlier version stored as they were sent. */
export const sealOldParameters = (ctx: Ctx): Promise<number> =>
  sweep(ctx, async (db, limit) => {
    const rows = await listUnsealed.all(db, { limit });
    for (const { id, parameters } of rows) {
      const sealed = sealParameters(ctx, JSON.parse(parameters) as Parameters);
      await saveSealed.run(db, { id, before: parameters, sealed });
    }
    return rows.length;
  });
