import { planAndroid } from './android.ts';
import { planCustom } from './custom.ts';
import { planUwp, planXamarin } from './dotnet.ts';
import { planJavascript } from './javascript.ts';
import type { JobFiles, Plan, Sources, Work } from './stage.ts';
import { planXcode } from './xcode.ts';

export type { JobFiles, Kept, Plan, Sources, Stage, Work } from './stage.ts';

/** What this runner cannot do yet, or not at all. */
export class CannotBuild extends Error {
  override name = 'CannotBuild';
}

/** Packages of JavaScript are restored before the app that is built around them. */
export function planBuild(work: Work, sources: Sources, job: JobFiles): Plan {
  const { toolsets } = work;
  if (toolsets.custom) return planCustom(work);
  const javascript = toolsets.javascript ? planJavascript(work, sources) : undefined;
  const native = toolsets.xamarin
    ? planXamarin(work, job)
    : toolsets.android
      ? planAndroid(work, job)
      : toolsets.xcode
        ? planXcode(work, sources, job)
        : toolsets.uwp
          ? planUwp(work, job)
          : undefined;
  if (native && javascript) {
    return {
      ...native,
      folder: javascript.folder,
      restore: [...javascript.restore, ...native.restore],
      variables: { ...native.variables, ...javascript.variables },
    };
  }
  const plan = native ?? javascript;
  if (plan) return plan;
  const named = Object.keys(toolsets).join(', ') || 'none';
  throw new CannotBuild(
    `This runner builds with the toolsets custom, javascript, android, xcode, xamarin and uwp; the branch names ${named}. Use custom with the commands of your tool.`,
  );
}
