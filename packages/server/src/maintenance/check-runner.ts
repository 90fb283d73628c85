import { existsSync } from 'node:fs';
import type { Config } from '../config.ts';
import { openDatabase } from '../db/open.ts';
import { SECOND } from '../kernel/clock.ts';
import { planRunner, readRunnerState } from '../workers/built-in-runner.ts';
import { databaseFile } from './check-services.ts';
import { findRunnerSeen } from './copy.store.ts';
import { createFindings, type Finding } from './findings.ts';

/** A runner polls at least every half minute. */
const MAX_SILENCE = 90 * SECOND;

async function seenAt(config: Config, id: string): Promise<{ at: number | null } | undefined> {
  if (!config.databaseUrl && !existsSync(databaseFile(config))) return undefined;
  const database = openDatabase({ location: config.databaseUrl ?? databaseFile(config), poolSize: 1 });
  try {
    return await findRunnerSeen(database, id);
  } finally {
    await database.close();
  }
}

/** Checks the runner that this server starts itself, if enabled. */
export async function checkRunner(config: Config): Promise<Finding[]> {
  const { ok, warn, fail } = createFindings('built-in runner');
  if (config.builtInRunner === 'off') return [ok('Off: builds and tests wait for runners that you start.')];
  const plan = planRunner(config);
  if ('problem' in plan) return [fail(`Can't start: ${plan.problem}`, plan.remedy)];
  const state = readRunnerState(config);
  if (!state) return [ok(`On (${config.builtInRunner}); the next start of the server registers it.`)];
  const seen = await seenAt(config, state.id);
  if (!seen) {
    return [
      warn(
        `${state.name} was removed.`,
        'Restart the server to register it again, or set MOORING_BUILT_IN_RUNNER=off.',
      ),
    ];
  }
  const silent = Date.now() - (seen.at ?? 0);
  if (silent > MAX_SILENCE) {
    return [
      warn(
        `${state.name} has not polled recently.`,
        'Check that the server is running; its log says why a runner ended.',
      ),
    ];
  }
  return [ok(`${state.name} polled ${Math.max(0, Math.round(silent / SECOND))} s ago.`)];
}
