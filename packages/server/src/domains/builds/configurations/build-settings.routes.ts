import { buildSettings_get, buildSettings_update } from '@mooring/contract';
import { route } from '../../../http/mount.ts';
import { type BuildSettings, getBuildSettings, updateBuildSettings } from './build-settings.ts';

const toWire = ({ mostAtOnce, variables, patterns }: BuildSettings) => ({
  maxConcurrentBuilds: mostAtOnce,
  environmentVariables: variables,
  branchPatterns: patterns,
});

export const buildSettingsRoutes = [
  route(buildSettings_get, async (ctx) => toWire(await getBuildSettings(ctx))),
  route(buildSettings_update, async (ctx, { body }) =>
    toWire(
      await updateBuildSettings(ctx, { mostAtOnce: body.maxConcurrentBuilds, variables: body.environmentVariables }),
    ),
  ),
];
