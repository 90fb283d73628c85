import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ButtonLink } from '../../components/text/links.tsx';
import { Card } from './card.tsx';
import classes from './overview.module.css';

export interface Step {
  text: string;
  /** Undefined while loading. */
  isDone: boolean | undefined;
  to?: string;
  action?: string;
  /** Operation that the step needs. */
  hint?: ReactNode;
}

/** First steps, shown while the app or organization is nearly empty. */
interface SetUpCardProps {
  steps: Step[];
  /** Shown until every step is done, instead of until most are. */
  isThorough?: boolean;
}

export function SetUpCard({ steps, isThorough = false }: SetUpCardProps) {
  const done = steps.filter(({ isDone }) => isDone).length;
  const isOver = isThorough ? done === steps.length : done * 2 > steps.length;
  if (steps.some(({ isDone }) => isDone === undefined) || isOver) return null;
  return (
    <Card title={`Set up: ${done} of ${steps.length} done`}>
      <ol className={classes.list}>
        {steps.map(({ text, isDone, to, action, hint }) => (
          <li key={text} className={classes.row}>
            {isDone ? (
              <IconCircleCheckFilled size={18} color="var(--healthy)" aria-label="Done" role="img" />
            ) : (
              <IconCircle size={18} stroke={1.6} aria-label="To do" role="img" />
            )}
            <div className={classes.text}>
              {text}
              {!isDone && hint}
            </div>
            {!isDone && to && action && (
              <ButtonLink to={to} size="compact-sm" variant="default">
                {action}
              </ButtonLink>
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
}
