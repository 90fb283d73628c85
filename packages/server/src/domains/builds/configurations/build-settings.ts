import { atLeast } from '@mooring/contract';
import type { AppCtx, Ctx } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { tx } from '../../../db/tx.ts';
import { open, seal } from '../../../kernel/crypto/sealed.ts';
import { badRequest } from '../../../kernel/errors.ts';
import { jsonCodec, objectOutline, StringRecord } from '../../../kernel/text/json-codec.ts';
import { appSubject } from '../../apps/index.ts';
import { record } from '../../audit/index.ts';
import { findJobLimit, limitJobs } from '../../runners/index.ts';
import { listPatterns } from './branch-configurations.store.ts';
import { findBuildSettings, saveBuildSettings } from './build-settings.store.ts';
import { checkVariables, type Variable } from './environment-variables.ts';
import { joinSecrets, type SplitSettings, showSettings, splitSecrets, withoutSecrets } from './setting-secrets.ts';

const settingsCodec = jsonCodec('build_settings.settings', objectOutline<SplitSettings['settings']>());
const secretsCodec = jsonCodec('build_settings.secrets', StringRecord);

/** Settings for all builds of an app. */
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
    throw badRequest(
      "Can't decrypt the variables of this app: they were encrypted with another MOORING_SECRET_KEY. Set them again.",
    );
  }
  return { settings: settingsCodec.parse(row.settings), secrets: secretsCodec.parse(secrets) };
}

const getVariables = (settings: Record<string, unknown>): Variable[] =>
  (settings.environmentVariables ?? []) as Variable[];

/** For runners, with the values of secrets. */
export const findVariables = async (ctx: Pick<Ctx, 'db' | 'secretKey'>, appId: string): Promise<Variable[]> =>
  getVariables(joinSecrets(await readVariables(ctx, appId)));

export async function getBuildSettings(ctx: AppCtx): Promise<BuildSettings> {
  const appId = ctx.app.id;
  const shown = showSettings(await readVariables(ctx, appId), {
    showsVariables: atLeast(ctx.permission, 'developer'),
  });
  return {
    mostAtOnce: await findJobLimit(ctx, appId, 'build'),
    variables: getVariables(shown),
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
    // A lock, because there may be no row yet: a concurrent update must not restore an old secret.
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
      getVariables(of)
        .map(({ name }) => name)
        .join(', ');
    await record(ctx, 'build_settings.update', appSubject(ctx.app), {
      before: { variables: names(before.settings) },
      after: { variables: names(settings), mostAtOnce: mostAtOnce ?? null },
    });
    return getBuildSettings(ctx);
  });

/** A new owner must not get the secrets of the previous one. */
export async function clearVariableSecrets(ctx: Ctx, appId: string): Promise<void> {
  await lock(ctx, 'build-settings', appId);
  const row = await findBuildSettings.first(ctx.db, { appId });
  if (!row) return;
  const text = open(ctx.secretKey, PURPOSE, row.secrets) ?? '{}';
  const split = { settings: settingsCodec.parse(row.settings), secrets: secretsCodec.parse(text) };
  const { settings, secrets } = withoutSecrets(split);
  await saveBuildSettings.run(ctx.db, {
    app_id: appId,
    settings: JSON.stringify(settings),
    secrets: seal(ctx.secretKey, PURPOSE, JSON.stringify(secrets)),
    changed_at: ctx.clock.now(),
  });
}
