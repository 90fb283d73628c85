import { planAndroid } from './android.ts';
import { planCustom } from './custom.ts';
import { planUwp, planXamarin } from './dotnet.ts';
import { planJavascript } from './javascript.ts';
import type { JobFiles, Plan, Sources, Work } from './stage.ts';
import { planXcode } from './xcode.ts';

export type { ArtifactPattern, JobFiles, Plan, Sources, Stage, Work } from './stage.ts';

/** The configuration is not supported by this runner. */
export class CannotBuild extends Error {
  override name = 'CannotBuild';
}

/** JavaScript packages are restored before the native app that contains them. */
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
  const toolsetNames = Object.keys(toolsets).join(', ') || 'none';
  throw new CannotBuild(
    `Unsupported toolset: ${toolsetNames}. This runner supports custom, javascript, android, xcode, xamarin and uwp. For other tools, use custom with their commands.`,
  );
}
