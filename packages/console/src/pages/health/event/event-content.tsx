import { Anchor, List, Paper, Stack, Text } from '@mantine/core';
import type { HealthEvent } from '../../../api/health/health.ts';
import { Section } from '../../../components/layout/page.tsx';
import { Time } from '../../../components/text/time.tsx';
import { shortList } from '../event-labels.ts';
import { Article } from './article.tsx';
import classes from './event-content.module.css';
import { findHref, listUpdates } from './event-updates.ts';

/** Plain text with its line breaks. */
const Prose = ({ children }: { children: string | undefined }) => (
  <Text size="sm" className={classes.prose}>
    {children}
  </Text>
);

/** Sections of an event that have content. */
export function EventContent({ event }: { event: HealthEvent }) {
  const { description, recommendedActions, faqs = [], links = [], article, additionalInformation } = event.properties;
  const actions = (recommendedActions?.actions ?? []).filter(({ actionText }) => actionText);
  return (
    <>
      <Updates event={event} />
      {description && (
        <Section title="Description">
          <Prose>{description}</Prose>
        </Section>
      )}
      {(actions.length > 0 || recommendedActions?.message) && (
        <Section title="Recommended actions">
          {recommendedActions?.message && <Prose>{recommendedActions.message}</Prose>}
          <List size="sm" spacing={4} type="ordered">
            {actions.map(({ actionText }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: items have no other identity, and never move
              <List.Item key={index}>{actionText}</List.Item>
            ))}
          </List>
        </Section>
      )}
      {faqs.length > 0 && (
        <Section title="Questions and answers">
          <Stack component="dl" gap="sm" m={0}>
            {faqs.map(({ question, answer }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: items have no other identity, and never move
              <div key={index}>
                <Text component="dt" size="sm" fw={600}>
                  {question}
                </Text>
                <Text component="dd" size="sm" m={0} className={classes.prose}>
                  {answer}
                </Text>
              </div>
            ))}
          </Stack>
        </Section>
      )}
      {links.length > 0 && (
        <Section title="Links">
          <List size="sm" spacing={4}>
            {links.map((link, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: items have no other identity, and never move
              <List.Item key={index}>
                <Linked link={link} />
              </List.Item>
            ))}
          </List>
        </Section>
      )}
      {article?.articleContent && (
        <Section title="Article">
          <Article html={article.articleContent} />
        </Section>
      )}
      {additionalInformation?.message && (
        <Section title="More information">
          <Prose>{additionalInformation.message}</Prose>
        </Section>
      )}
    </>
  );
}

function Updates({ event }: { event: HealthEvent }) {
  const updates = listUpdates(event);
  if (updates.length === 0) return null;
  return (
    <Section title="Updates" description="Newest first.">
      <Paper withBorder component="ol" className={classes.updates}>
        {updates.map(({ at, summary, regions }) => (
          <li key={`${at}\n${summary}`}>
            <Text size="xs" c="dimmed">
              <Time at={at} /> · <span title={regions.join('\n')}>{shortList(regions, 1)}</span>
            </Text>
            <Prose>{summary}</Prose>
          </li>
        ))}
      </Paper>
    </Section>
  );
}

type Link = NonNullable<HealthEvent['properties']['links']>[number];

function Linked({ link }: { link: Link }) {
  const href = findHref(link);
  const text = link.displayText?.localizedValue ?? link.displayText?.value ?? link.bladeName ?? href ?? '(unnamed)';
  if (!href) return text;
  return (
    <Anchor href={href} target="_blank" rel="noopener noreferrer nofollow" size="sm" underline="always">
      {text}
    </Anchor>
  );
}
