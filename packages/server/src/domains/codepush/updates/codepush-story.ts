import { codePushDeployments_list } from '@mooring/contract';
import type { StoryPart } from '../../../extensions/story-parts.ts';
import { listDeploymentRows } from '../deployments/deployments.store.ts';
import { readHistory } from '../releases/releases.ts';
import { readVersion } from './binary-versions.ts';
import { chooseUpdate } from './selection.ts';

/** Each deployment costs a query for its releases. */
const MAX_DEPLOYMENTS = 10;

/** CodePush updates that devices with the version of a release get. */
export const codepushStory: StoryPart = {
  needs: codePushDeployments_list,
  async read(ctx, { version: text }) {
    const version = text === undefined ? undefined : readVersion(text);
    if (version === undefined) return {};
    const deployments = await listDeploymentRows.all(ctx.db, { appId: ctx.app.id });
    const updates = [];
    for (const { id, name } of deployments.slice(0, MAX_DEPLOYMENTS)) {
      const { everybody, some } = chooseUpdate(await readHistory(ctx, id), { version });
      const decision = some?.decision ?? everybody;
      if (decision.reason !== 'update') continue;
      updates.push({
        deployment: name,
        label: decision.release.label,
        is_mandatory: decision.isMandatory,
        rollout: some?.rollout,
      });
    }
    return { updates };
  },
};
