import type { ReleaseStoryFields } from '@mooring/contract';
import type { AppCtx } from '../context.ts';
import { defineExtensionPoint } from './extension-point.ts';
import type { PartNeeds } from './part-needs.ts';

/** The known identity of a release; every field may be missing. */
export interface StorySubject {
  releaseId: number | undefined;
  buildId: number | undefined;
  testRunId: string | undefined;
  /** The version that users see. */
  version: string | undefined;
  /** The commit that the uploader named. */
  commit: { sha: string; branch?: string | undefined; message?: string | undefined } | undefined;
}

/** Steps of a release that another domain knows. Throws if the named build or test run does not exist. */
export interface StoryPart {
  /** The operation that reads the same resources. Tokens whose limits exclude it do not get this part. */
  needs: PartNeeds;
  /** Finds the build of a release that another tool uploaded with its commit. */
  findBuild?(ctx: AppCtx, subject: StorySubject): Promise<number | undefined>;
  read(ctx: AppCtx, subject: StorySubject): Promise<ReleaseStoryFields>;
}

/** Read by the domain `releases`. */
export const storyParts = defineExtensionPoint<StoryPart>('story-parts');
