import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ButtonLink } from '../../parts/links.tsx';
import { Card } from './card.tsx';
import classes from './overview.module.css';

export interface Step {
  text: string;
  /** Not known yet if it is left out. */
  isDone: boolean | undefined;
  to?: string;
  action?: string;
  /** What is needed to do it. */
  hint?: ReactNode;
}

/** For as long as hardly anything is there, what to begin with. */
export function SetUpCard({ steps }: { steps: Step[] }) {
  const done = steps.filter(({ isDone }) => isDone).length;
  if (steps.some(({ isDone }) => isDone === undefined) || done * 2 > steps.length) return null;
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
