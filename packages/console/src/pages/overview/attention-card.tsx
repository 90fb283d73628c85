import { Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import { ButtonLink, TextLink } from '../../components/text/links.tsx';
import { Card, RowsSkeleton } from './card.tsx';
import classes from './overview.module.css';

/** An item that needs attention, with a link. */
export interface Attention {
  text: string;
  to: string;
  /** Label of the button; without one, the text is the link. */
  action?: string;
  isUrgent?: boolean;
}

/** Reasons from all sources; unfinished sources are unknown. */
export const AttentionCard = ({ results }: { results: (Attention[] | undefined)[] }) => {
  const items = results
    .flatMap((some) => some ?? [])
    .sort((a, b) => Number(b.isUrgent ?? false) - Number(a.isUrgent ?? false));
  const isLoading = results.some((some) => some === undefined);
  return (
    <Card title="Needs attention">
      {items.length > 0 && (
        <ul className={classes.list}>
          {items.map(({ text, to, action, isUrgent }) => (
            <li key={text} className={classes.row}>
              {isUrgent ? (
                <IconAlertTriangle size={18} stroke={1.6} color="var(--level-error)" aria-label="Urgent" role="img" />
              ) : (
                <IconInfoCircle size={18} stroke={1.6} color="var(--level-informational)" aria-hidden />
              )}
              <span className={classes.text}>
                {action ? (
                  text
                ) : (
                  <TextLink to={to} size="sm">
                    {text}
                  </TextLink>
                )}
              </span>
              {action && (
                <ButtonLink to={to} size="compact-sm" variant="default" aria-label={`${action}: ${text}`}>
                  {action}
                </ButtonLink>
              )}
            </li>
          ))}
        </ul>
      )}
      {isLoading && items.length === 0 && <RowsSkeleton rows={1} />}
      {!isLoading && items.length === 0 && (
        <div className={classes.row}>
          <IconCircleCheck size={18} stroke={1.6} color="var(--healthy)" aria-hidden />
          <Text size="sm">Nothing needs attention.</Text>
        </div>
      )}
    </Card>
  );
};
