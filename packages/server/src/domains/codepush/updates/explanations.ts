import type { AppCtx } from '../../../context.ts';
import { answerUrl } from '../../../kernel/answer-url.ts';
import { getDeployment } from '../deployments/deployments.ts';
import { readHistory } from '../releases/releases.ts';
import { bucketOf, isInRollout } from './rollout.ts';
import { answerFor, chooseUpdate, type Reason } from './selection.ts';
import { type Question, type Told, tell, versionOf } from './update-checks.ts';

export interface Explanation {
  reason: Reason;
  told: Told;
  isDiff: boolean;
  /** Of a release that goes to some devices only. */
  rollout: { label: string; percent: number; place: number | undefined; isIncluded: boolean } | undefined;
}

/** What a device would be told, and why: nothing is remembered, and nothing counted. */
export async function explainUpdate(ctx: AppCtx, name: string, asked: Omit<Question, 'key'>): Promise<Explanation> {
  const deployment = await getDeployment(ctx, name);
  const history = await readHistory(ctx, deployment.id);
  const { label, deviceId, isCompanion } = asked;
  // Whoever knows what a device runs by its label need not know the hash of it.
  const packageHash = asked.packageHash || (history.find((release) => release.label === label)?.packageHash ?? '');
  const question = { ...asked, packageHash, key: deployment.key };
  const choice = chooseUpdate(history, { version: versionOf(asked), label, packageHash, isCompanion });
  const answer = answerFor(choice, deviceId);
  const rolledOut = choice.some && { label: choice.some.answer.release.label, percent: choice.some.rollout };
  return {
    reason: answer.reason,
    told: tell(answerUrl(ctx), question, answer),
    isDiff: answer.reason === 'update' && answer.release.diffs.has(packageHash),
    rollout: rolledOut && {
      ...rolledOut,
      place: deviceId ? bucketOf(deviceId, rolledOut.label) : undefined,
      isIncluded: isInRollout(deviceId, rolledOut.label, rolledOut.percent),
    },
  };
}
