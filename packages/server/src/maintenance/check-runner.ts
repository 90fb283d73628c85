import { existsSync } from 'node:fs';
import type { Config } from '../config.ts';
import { openDatabase } from '../db/open.ts';
import { SECOND } from '../kernel/clock.ts';
import { planRunner, readRunnerState } from '../workers/built-in-runner.ts';
import { databaseFile } from './check-services.ts';
import { findRunnerSeen } from './copy.store.ts';
import { type Finding, findingsOf } from './findings.ts';

/** It asks at least every half minute. */
const SILENT = 90 * SECOND;

async function seenAt(config: Config, id: string): Promise<{ at: number | null } | undefined> {
  if (!config.databaseUrl && !existsSync(databaseFile(config))) return undefined;
  const database = openDatabase({ location: config.databaseUrl ?? databaseFile(config), poolSize: 1 });
  try {
    return await findRunnerSeen(database, id);
  } finally {
    await database.close();
  }
}

/** The runner that this server starts itself, if it is told to. */
export async function checkRunner(config: Config): Promise<Finding[]> {
  const { ok, warn, fail } = findingsOf('built-in runner');
  if (config.builtInRunner === 'off') return [ok('It is off: builds and tests wait for runners that you start.')];
  const plan = planRunner(config);
  if ('problem' in plan) return [fail(`It cannot be started: ${plan.problem}`, plan.mend)];
  const state = readRunnerState(config);
  if (!state) return [ok(`It is on, with ${config.builtInRunner}; the next start of the server registers it.`)];
  const seen = await seenAt(config, state.id);
  if (!seen) {
    return [warn(`${state.name} was removed.`, 'Restart the server to register it anew, or switch it off.')];
  }
  const silent = Date.now() - (seen.at ?? 0);
  if (silent > SILENT) {
    return [warn(`${state.name} was not heard of lately.`, 'Is the server running? Its log says why a runner ended.')];
  }
  return [ok(`${state.name} was heard of ${Math.max(0, Math.round(silent / SECOND))} s ago.`)];
}
