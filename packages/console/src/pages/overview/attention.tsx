import { Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import { TextLink } from '../../parts/links.tsx';
import { Card, RowsOutline } from './card.tsx';
import classes from './overview.module.css';

/** Something that somebody should look at, and where. */
export interface Attention {
  text: string;
  to: string;
  isUrgent?: boolean;
}

/** What was found by each that looks; one that is not done yet has found nothing that is known. */
export const AttentionCard = ({ found }: { found: (Attention[] | undefined)[] }) => {
  const items = found
    .flatMap((some) => some ?? [])
    .sort((a, b) => Number(b.isUrgent ?? false) - Number(a.isUrgent ?? false));
  const isReading = found.some((some) => some === undefined);
  return (
    <Card title="Needs attention">
      {items.length > 0 && (
        <ul className={classes.list}>
          {items.map(({ text, to, isUrgent }) => (
            <li key={text} className={classes.row}>
              {isUrgent ? (
                <IconAlertTriangle size={18} stroke={1.6} color="var(--level-error)" aria-label="Urgent" role="img" />
              ) : (
                <IconInfoCircle size={18} stroke={1.6} color="var(--level-informational)" aria-hidden />
              )}
              <span className={classes.text}>
                <TextLink to={to} size="sm">
                  {text}
                </TextLink>
              </span>
            </li>
          ))}
        </ul>
      )}
      {isReading && items.length === 0 && <RowsOutline rows={1} />}
      {!isReading && items.length === 0 && (
        <div className={classes.row}>
          <IconCircleCheck size={18} stroke={1.6} color="var(--healthy)" aria-hidden />
          <Text size="sm">Nothing needs attention.</Text>
        </div>
      )}
    </Card>
  );
};
