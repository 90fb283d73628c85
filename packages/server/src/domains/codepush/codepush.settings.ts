import { integer, must, optional, type SettingValues } from '../../setting-kinds.ts';

const count = (text: string, min: number): number => {
  const value = Number(text);
  must(Number.isInteger(value) && value >= min, `a whole number from ${min} on`);
  return value;
};

/** The number that other CodePush servers retain. */
const HISTORY_MIN = 50;

export const codepushSettings = {
  codepushMetricsDays: integer(
    {
      variable: 'MOORING_CODEPUSH_METRICS_DAYS',
      description: 'Days that hourly CodePush metrics are retained; the totals stay.',
    },
    90,
    7,
    3650,
  ),
  codepushDeployments: optional(
    {
      variable: 'MOORING_CODEPUSH_DEPLOYMENTS',
      description: 'Maximum number of CodePush deployments of an app. Unset: no limit.',
    },
    (text) => count(text, 1),
  ),
  codepushHistory: optional(
    {
      variable: 'MOORING_CODEPUSH_HISTORY',
      description: `CodePush releases that a deployment retains, at least ${HISTORY_MIN}; each new release then removes the oldest. Unset: all.`,
    },
    (text) => count(text, HISTORY_MIN),
  ),
};

declare module '../../config.ts' {
  interface Config extends SettingValues<typeof codepushSettings> {}
}
