import { Anchor, List, Paper, Stack, Text } from '@mantine/core';
import type { HealthEvent } from '../../api/health.ts';
import { Part } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { Article } from './article.tsx';
import classes from './event-content.module.css';
import { hrefOf, updatesOf } from './event-updates.ts';
import { shortList } from './event-words.ts';

/** A text of an operator, with its own lines. */
const Prose = ({ children }: { children: string | undefined }) => (
  <Text size="sm" className={classes.prose}>
    {children}
  </Text>
);

/** What an operator said about an event; parts without content are left out. */
export function EventContent({ event }: { event: HealthEvent }) {
  const { description, recommendedActions, faqs = [], links = [], article, additionalInformation } = event.properties;
  const actions = (recommendedActions?.actions ?? []).filter(({ actionText }) => actionText);
  return (
    <>
      <Updates event={event} />
      {description && (
        <Part title="Description">
          <Prose>{description}</Prose>
        </Part>
      )}
      {(actions.length > 0 || recommendedActions?.message) && (
        <Part title="Recommended actions">
          {recommendedActions?.message && <Prose>{recommendedActions.message}</Prose>}
          <List size="sm" spacing={4} type="ordered">
            {actions.map(({ actionText }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: they have nothing else, and never move
              <List.Item key={index}>{actionText}</List.Item>
            ))}
          </List>
        </Part>
      )}
      {faqs.length > 0 && (
        <Part title="Questions and answers">
          <Stack component="dl" gap="sm" m={0}>
            {faqs.map(({ question, answer }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: they have nothing else, and never move
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
        </Part>
      )}
      {links.length > 0 && (
        <Part title="Links">
          <List size="sm" spacing={4}>
            {links.map((link, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: they have nothing else, and never move
              <List.Item key={index}>
                <Linked link={link} />
              </List.Item>
            ))}
          </List>
        </Part>
      )}
      {article?.articleContent && (
        <Part title="Article">
          <Article html={article.articleContent} />
        </Part>
      )}
      {additionalInformation?.message && (
        <Part title="More information">
          <Prose>{additionalInformation.message}</Prose>
        </Part>
      )}
    </>
  );
}

function Updates({ event }: { event: HealthEvent }) {
  const updates = updatesOf(event);
  if (updates.length === 0) return null;
  return (
    <Part title="Updates" lead="Newest first.">
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
    </Part>
  );
}

type Link = NonNullable<HealthEvent['properties']['links']>[number];

function Linked({ link }: { link: Link }) {
  const href = hrefOf(link);
  const text = link.displayText?.localizedValue ?? link.displayText?.value ?? link.bladeName ?? href ?? '(unnamed)';
  if (!href) return text;
  return (
    <Anchor href={href} target="_blank" rel="noopener noreferrer nofollow" size="sm" underline="always">
      {text}
    </Anchor>
  );
}
