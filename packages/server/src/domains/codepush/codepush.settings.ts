import { integer, must, optional } from '../../setting-kinds.ts';

const count = (text: string, min: number): number => {
  const value = Number(text);
  must(Number.isInteger(value) && value >= min, `a whole number from ${min} on`);
  return value;
};

/** As many as the servers keep that clients come from. */
const HISTORY_MIN = 50;

export const codepushSettings = {
  codepushMetricsDays: integer(
    {
      variable: 'MOORING_CODEPUSH_METRICS_DAYS',
      description: 'How many days it is kept what CodePush devices reported in each hour; the sums stay.',
    },
    90,
    7,
    3650,
  ),
  codepushDeployments: optional(
    {
      variable: 'MOORING_CODEPUSH_DEPLOYMENTS',
      description: 'How many CodePush deployments an app may have. Unset: as many as it wants.',
    },
    (text) => count(text, 1),
  ),
  codepushHistory: optional(
    {
      variable: 'MOORING_CODEPUSH_HISTORY',
      description: `How many CodePush releases a deployment keeps, ${HISTORY_MIN} at least: with a new one the oldest goes. Unset: all.`,
    },
    (text) => count(text, HISTORY_MIN),
  ),
};
