import { Paper, Skeleton, Title } from '@mantine/core';
import type { EndpointSpec } from '@mooring/contract';
import type { ComponentType, ReactNode } from 'react';
import type { May } from '../../parts/may.ts';
import classes from './overview.module.css';

/** A card of an overview page; who may not call what it needs does not see it. */
export interface OverviewCard {
  needs: EndpointSpec;
  Card: ComponentType;
  /** Below what the page is about, because it may come late or not at all, and must not push others down. */
  isAside?: true;
}

interface CardProps {
  title: string;
  /** Beside the title, such as a link to all of it. */
  action?: ReactNode;
  children: ReactNode;
}

export const Card = ({ title, action, children }: CardProps) => (
  <Paper withBorder component="section" className={classes.card}>
    <div className={classes.head}>
      <Title order={2} size="h6">
        {title}
      </Title>
      {action}
    </div>
    {children}
  </Paper>
);

/** As high as the rows that will stand there, so that nothing moves. */
export const RowsOutline = ({ rows }: { rows: number }) => (
  <div role="status" aria-label="Loading">
    {Array.from({ length: rows }, (_, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same.
      <div key={at} className={classes.row}>
        <Skeleton height={12} width="60%" />
      </div>
    ))}
  </div>
);

interface OverviewProps {
  /** What the page is for, beside what it is about. */
  cards: OverviewCard[];
  about: ReactNode;
  may: May;
}

/** The cards, and beside them, where there is room, what the page is about. */
export function Overview({ cards, about, may }: OverviewProps) {
  const open = cards.filter(({ needs }) => may(needs));
  const show = (some: OverviewCard[]) => some.map(({ Card }) => <Card key={Card.displayName ?? Card.name} />);
  return (
    <div className={classes.overview}>
      <div className={classes.column}>{show(open.filter(({ isAside }) => !isAside))}</div>
      <div className={classes.column}>
        {about}
        {show(open.filter(({ isAside }) => isAside))}
      </div>
    </div>
  );
}
