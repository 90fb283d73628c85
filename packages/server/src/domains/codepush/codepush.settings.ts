import { must, optional } from '../../setting-kinds.ts';

const count = (text: string, min: number): number => {
  const value = Number(text);
  must(Number.isInteger(value) && value >= min, `a whole number from ${min} on`);
  return value;
};

/** As many as the servers keep that clients come from. */
const HISTORY_MIN = 50;

export const codepushSettings = {
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
