import { Badge, Group } from '@mantine/core';
import classes from './event-badges.module.css';
import type { EventLevel, EventStatus } from './event-labels.ts';

export const StatusBadge = ({ status }: { status: EventStatus | undefined }) =>
  status === 'Resolved' ? <Badge color="gray">Resolved</Badge> : <Badge color="red">Active</Badge>;

/** Level with a bar that grows with severity, as in the timeline. */
export const LevelMark = ({ level }: { level: EventLevel | undefined }) =>
  level ? (
    <Group component="span" gap={6} wrap="nowrap" display="inline-flex" style={{ verticalAlign: 'middle' }}>
      <span className={classes.mark} data-level={level} aria-hidden />
      {level}
    </Group>
  ) : (
    '—'
  );
