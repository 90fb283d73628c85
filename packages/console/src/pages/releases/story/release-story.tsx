import { Anchor, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconArrowDownRight, IconArrowRight, IconArrowUpRight } from '@tabler/icons-react';
import { type ReleaseStory, type StoryQuery, useReleaseStory } from '../../../api/releases/release-story.ts';
import { QueryBoundary } from '../../../components/feedback/query-boundary.tsx';
import { TextLink } from '../../../components/text/links.tsx';
import { useCurrentApp } from '../../../context/permissions.ts';
import { pathTo } from '../../../paths.ts';
import classes from './release-story.module.css';
import { describeVerdict, formatPercent, getSteps, type Step, type StoryPlace } from './story-steps.ts';

interface StoryProps {
  query: StoryQuery;
  place: StoryPlace;
}

/** A release from its commit to its devices, in one strip, with a comparison to the previous version. */
export default function ReleaseStoryStrip({ query, place }: StoryProps) {
  const { appRef } = useCurrentApp();
  const story = useReleaseStory(appRef, query);
  return (
    <QueryBoundary query={story} skeleton={<Skeleton className={classes.loading} />}>
      {(data) => <Strip story={data} place={place} />}
    </QueryBoundary>
  );
}

function Strip({ story, place }: { story: ReleaseStory; place: StoryPlace }) {
  const { params } = useCurrentApp();
  const steps = getSteps(story, params, place);
  // A single step tells no story.
  if (steps.length < 2) return null;
  return (
    <Stack gap="xs" component="section" aria-label="Release story">
      <Verdict story={story} />
      <ol className={classes.strip}>
        {steps.map((step) => (
          <li key={step.label} className={classes.step}>
            <div className={classes.label}>
              <span className={classes.state} data-state={step.state} aria-hidden />
              {step.label}
            </div>
            <div className={classes.value} title={step.value}>
              <StepLink step={step} />
            </div>
            {step.note && (
              <div className={classes.note} title={step.note}>
                {step.note}
              </div>
            )}
          </li>
        ))}
      </ol>
    </Stack>
  );
}

function StepLink({ step: { value, to, href } }: { step: Step }) {
  const look = { size: 'sm', fw: 600, underline: 'hover' } as const;
  if (href)
    return (
      <Anchor href={href} target="_blank" rel="noreferrer" {...look}>
        {value}
      </Anchor>
    );
  return to ? (
    <TextLink to={to} {...look}>
      {value}
    </TextLink>
  ) : (
    value
  );
}

const icons = { healthier: IconArrowUpRight, as_healthy: IconArrowRight, less_healthy: IconArrowDownRight } as const;
const colors = { healthier: 'var(--healthy)', as_healthy: 'dimmed', less_healthy: 'var(--level-critical)' } as const;

function Verdict({ story }: { story: ReleaseStory }) {
  const { params } = useCurrentApp();
  const { verdict, stability } = story;
  const verdictText = describeVerdict(story);
  if (!verdict || verdict.outcome === 'unknown' || !verdict.previous || !verdictText) return null;
  const { short_version, version, release_id, crash_free_devices } = verdict.previous;
  const Icon = icons[verdict.outcome];
  return (
    <Group gap={6} wrap="nowrap" align="baseline">
      <Text c={colors[verdict.outcome]} component="span" style={{ alignSelf: 'center', lineHeight: 0 }}>
        <Icon size={18} aria-hidden />
      </Text>
      <Text size="sm">
        <b>
          {verdictText[0]}
          {release_id === undefined ? (
            short_version
          ) : (
            <TextLink to={pathTo('appRelease', { ...params, release: String(release_id) })} fw={700} size="sm">
              {short_version}
            </TextLink>
          )}
          {verdictText[1]}
        </b>{' '}
        <Text span size="sm" c="dimmed">
          {formatPercent(stability?.crash_free_devices ?? 0)} of devices had no crash in the last {story.days} days,{' '}
          {formatPercent(crash_free_devices)} with {short_version} ({version}).
        </Text>
      </Text>
    </Group>
  );
}
