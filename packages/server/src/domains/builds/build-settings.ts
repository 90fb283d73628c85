import { atLeast } from '@mooring/contract';
import type { AppCtx, Ctx } from '../../context.ts';
import { lock } from '../../db/locks.ts';
import { tx } from '../../db/tx.ts';
import { badRequest } from '../../kernel/errors.ts';
import { open, seal } from '../../kernel/sealed.ts';
import { appSubject } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import { limitJobs, limitOf } from '../runners/index.ts';
import { listPatterns } from './branch-configurations.store.ts';
import { findBuildSettings, saveBuildSettings } from './build-settings.store.ts';
import { checkVariables, type Variable } from './environment-variables.ts';
import {
  joinSecrets,
  type Secrets,
  type SplitSettings,
  showSettings,
  splitSecrets,
  withoutSecrets,
} from './setting-secrets.ts';

/** What is true of all builds of an app. */
export interface BuildSettings {
  mostAtOnce: number | undefined;
  variables: Variable[];
  patterns: string[];
}

const PURPOSE = 'build-settings';

async function readVariables({ db, secretKey }: Pick<Ctx, 'db' | 'secretKey'>, appId: string): Promise<SplitSettings> {
  const row = await findBuildSettings.first(db, { appId });
  if (!row) return { settings: {}, secrets: {} };
  const secrets = open(secretKey, PURPOSE, row.secrets);
  if (secrets === undefined) {
    throw badRequest('Variables of this app were sealed with another MOORING_SECRET_KEY; set them again.');
  }
  return { settings: JSON.parse(row.settings), secrets: JSON.parse(secrets) as Secrets };
}

const variablesOf = (settings: Record<string, unknown>): Variable[] =>
  (settings.environmentVariables ?? []) as Variable[];

/** With their values: for the runner. */
export const findVariables = async (ctx: Pick<Ctx, 'db' | 'secretKey'>, appId: string): Promise<Variable[]> =>
  variablesOf(joinSecrets(await readVariables(ctx, appId)));

export async function getBuildSettings(ctx: AppCtx): Promise<BuildSettings> {
  const appId = ctx.app.id;
  const shown = showSettings(await readVariables(ctx, appId), {
    showsVariables: atLeast(ctx.permission, 'developer'),
  });
  return {
    mostAtOnce: await limitOf(ctx, appId, 'build'),
    variables: variablesOf(shown),
    patterns: (await listPatterns.all(ctx.db, { appId })).map(({ branch }) => branch),
  };
}

export interface BuildSettingsInput {
  mostAtOnce?: number | undefined;
  variables?: Variable[] | undefined;
}

export const updateBuildSettings = (ctx: AppCtx, { mostAtOnce, variables = [] }: BuildSettingsInput) =>
  tx(ctx, async (ctx) => {
    const appId = ctx.app.id;
    checkVariables(variables);
    // There may be no row yet, and a secret that another request changes meanwhile must not come back.
    await lock(ctx, 'build-settings', appId);
    const before = await readVariables(ctx, appId);
    const { settings, secrets } = splitSecrets({ environmentVariables: variables }, before);
    await saveBuildSettings.run(ctx.db, {
      app_id: appId,
      settings: JSON.stringify(settings),
      secrets: seal(ctx.secretKey, PURPOSE, JSON.stringify(secrets)),
      changed_at: ctx.clock.now(),
    });
    await limitJobs(ctx, appId, 'build', mostAtOnce);
    const names = (of: Record<string, unknown>) =>
      variablesOf(of)
        .map(({ name }) => name)
        .join(', ');
    await record(ctx, 'build_settings.update', appSubject(ctx.app), {
      before: { variables: names(before.settings) },
      after: { variables: names(settings), mostAtOnce: mostAtOnce ?? null },
    });
    return getBuildSettings(ctx);
  });

/** Secrets of the previous owner are not for the next one. */
export async function clearVariableSecrets(ctx: Ctx, appId: string): Promise<void> {
  await lock(ctx, 'build-settings', appId);
  const row = await findBuildSettings.first(ctx.db, { appId });
  if (!row) return;
  const text = open(ctx.secretKey, PURPOSE, row.secrets) ?? '{}';
  const split = { settings: JSON.parse(row.settings), secrets: JSON.parse(text) as Secrets };
  const { settings, secrets } = withoutSecrets(split);
  await saveBuildSettings.run(ctx.db, {
    app_id: appId,
    settings: JSON.stringify(settings),
    secrets: seal(ctx.secretKey, PURPOSE, JSON.stringify(secrets)),
    changed_at: ctx.clock.now(),
  });
}
