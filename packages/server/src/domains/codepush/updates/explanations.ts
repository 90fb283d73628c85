import type { AppCtx } from '../../../context.ts';
import { getResponseUrl } from '../../../kernel/response-url.ts';
import { getDeployment } from '../deployments/deployments.ts';
import { readHistory } from '../releases/releases.ts';
import { getBucket, isInRollout } from './rollout.ts';
import { chooseUpdate, getDeviceDecision, type Reason } from './selection.ts';
import { parseBinaryVersion, toUpdateInfo, type UpdateCheck, type UpdateInfo } from './update-checks.ts';

export interface Explanation {
  reason: Reason;
  update: UpdateInfo;
  isDiff: boolean;
  /** The unfinished rollout, if any. */
  rollout: { label: string; percent: number; place: number | undefined; isIncluded: boolean } | undefined;
}

/** Explains which update a device would get, without caching or counting. */
export async function explainUpdate(
  ctx: AppCtx,
  name: string,
  request: Omit<UpdateCheck, 'key'>,
): Promise<Explanation> {
  const deployment = await getDeployment(ctx, name);
  const history = await readHistory(ctx, deployment.id);
  const { label, deviceId, isCompanion } = request;
  // A label can replace the package hash.
  const packageHash = request.packageHash || (history.find((release) => release.label === label)?.packageHash ?? '');
  const check = { ...request, packageHash, key: deployment.key };
  const choice = chooseUpdate(history, { version: parseBinaryVersion(request), label, packageHash, isCompanion });
  const decision = getDeviceDecision(choice, deviceId);
  const rolledOut = choice.some && { label: choice.some.decision.release.label, percent: choice.some.rollout };
  return {
    reason: decision.reason,
    update: toUpdateInfo(getResponseUrl(ctx), check, decision),
    isDiff: decision.reason === 'update' && decision.release.diffs.has(packageHash),
    rollout: rolledOut && {
      ...rolledOut,
      place: deviceId ? getBucket(deviceId, rolledOut.label) : undefined,
      isIncluded: isInRollout(deviceId, rolledOut.label, rolledOut.percent),
    },
  };
}
