import { releaseStory_get } from '@mooring/contract';
import { lazy, Suspense } from 'react';
import type { StoryQuery } from '../../../api/releases/release-story.ts';
import { useCurrentApp } from '../../../context/permissions.ts';
import type { StoryPlace } from './story-steps.ts';

const Strip = lazy(() => import('./release-story.tsx'));

/** The strip of a release, loaded after its page. Nothing for testers, who may not see it. */
export function LazyStory({ query, place }: { query: StoryQuery; place: StoryPlace }) {
  const { can } = useCurrentApp();
  if (!can(releaseStory_get)) return null;
  return (
    <Suspense fallback={<div style={{ minHeight: 118 }} />}>
      <Strip query={query} place={place} />
    </Suspense>
  );
}
