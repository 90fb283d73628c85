import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Card } from './card.tsx';
import classes from './overview.module.css';

/** Facts about the page's subject. */
export const AboutCard = ({ items }: { items: [label: string, value: ReactNode][] }) => (
  <Card title="About">
    <dl className={classes.items}>
      {items.map(([label, value]) => (
        <div key={label}>
          <Text component="dt" size="xs" c="dimmed">
            {label}
          </Text>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  </Card>
);
