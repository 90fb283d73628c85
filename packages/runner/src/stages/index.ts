import { planAndroid } from './android.ts';
import { planCustom } from './custom.ts';
import { planJavascript } from './javascript.ts';
import type { Plan, Sources, Work } from './stage.ts';

export type { Kept, Plan, Sources, Stage, Work } from './stage.ts';

/** What this runner cannot do yet, or not at all. */
export class CannotBuild extends Error {
  override name = 'CannotBuild';
}

/** Packages of JavaScript are restored before an Android project is built around them. */
export function planBuild(work: Work, sources: Sources, job: { keystore: string }): Plan {
  const { toolsets } = work;
  if (toolsets.custom) return planCustom(work);
  const javascript = toolsets.javascript ? planJavascript(work, sources) : undefined;
  if (toolsets.android) {
    const android = planAndroid(work, job);
    return javascript
      ? {
          ...android,
          folder: javascript.folder,
          restore: javascript.restore,
          variables: { ...android.variables, ...javascript.variables },
        }
      : android;
  }
  if (javascript) return javascript;
  const named = Object.keys(toolsets).join(', ') || 'none';
  throw new CannotBuild(
    `This runner builds with the toolsets custom, javascript and android; the branch names ${named}. Use custom with the commands of your tool.`,
  );
}
