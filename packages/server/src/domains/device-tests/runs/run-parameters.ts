import { atLeast, SECRET_MASK } from '@mooring/contract';
import type { AppCtx, Ctx } from '../../../context.ts';
import { sweep } from '../../../db/rows/sweep.ts';
import { open, seal } from '../../../kernel/crypto/sealed.ts';
import { badRequest } from '../../../kernel/errors.ts';
import { jsonCodec, objectOutline } from '../../../kernel/text/json-codec.ts';
import { listUnsealed, type RunRow, saveSealed } from './test-runs.store.ts';

const parametersCodec = jsonCodec('test_runs.parameters', objectOutline<Parameters>());

type Parameters = Record<string, unknown>;
type Stored = Pick<RunRow, 'parameters' | 'sealed_parameters'>;

const PURPOSE = 'test-parameters';

export const sealParameters = ({ secretKey }: Pick<Ctx, 'secretKey'>, parameters: Parameters): string =>
  seal(secretKey, PURPOSE, JSON.stringify(parameters));

/** For runners, with the values. */
export function readParameters({ secretKey }: Pick<Ctx, 'secretKey'>, run: Stored): Parameters {
  if (run.sealed_parameters === null) return parametersCodec.parse(run.parameters);
  const text = open(secretKey, PURPOSE, run.sealed_parameters);
  if (text === undefined) {
    throw badRequest(
      "Can't decrypt the parameters of this test run: they were encrypted with another MOORING_SECRET_KEY. Start a new run.",
    );
  }
  return parametersCodec.parse(text);
}

/** Viewers and Read-Only tokens only see names, because values often contain passwords. */
export function showParameters(ctx: AppCtx, run: Stored): Parameters {
  const parameters = readParameters(ctx, run);
  if (ctx.actor.tokenScope === 'all' && atLeast(ctx.permission, 'developer')) return parameters;
  return Object.fromEntries(Object.keys(parameters).map((name) => [name, SECRET_MASK]));
}

/** Seals parameters that an earlier version stored in plain text. */
export const sealOldParameters = (ctx: Ctx): Promise<number> =>
  sweep(ctx, async (db, limit) => {
    const rows = await listUnsealed.all(db, { limit });
    for (const { id, parameters } of rows) {
      const sealed = sealParameters(ctx, parametersCodec.parse(parameters));
      await saveSealed.run(db, { id, before: parameters, sealed });
    }
    return rows.length;
  });
