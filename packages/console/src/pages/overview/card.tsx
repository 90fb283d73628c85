import { Paper, Skeleton, Title } from '@mantine/core';
import type { EndpointSpec } from '@mooring/contract';
import type { ComponentType, ReactNode } from 'react';
import type { PermissionCheck } from '../../context/permissions.ts';
import classes from './overview.module.css';

/** A card of an overview page, hidden from users without the permission it needs. */
export interface OverviewCard {
  needs: EndpointSpec;
  Card: ComponentType;
  /** Placed below the main cards, because it may load late or not at all. */
  isAside?: true;
}

interface CardProps {
  title: string;
  /** Content beside the title, such as a link to the full list. */
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

/** Reserves the height of its rows. */
export const RowsSkeleton = ({ rows }: { rows: number }) => (
  <div role="status" aria-label="Loading">
    {Array.from({ length: rows }, (_, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are identical.
      <div key={at} className={classes.row}>
        <Skeleton height={12} width="60%" />
      </div>
    ))}
  </div>
);

interface OverviewProps {
  /** Main column of an overview. */
  cards: OverviewCard[];
  about: ReactNode;
  can: PermissionCheck;
}

/** Layout with a main column and, on wide screens, a side column. */
export function Overview({ cards, about, can }: OverviewProps) {
  const open = cards.filter(({ needs }) => can(needs));
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
