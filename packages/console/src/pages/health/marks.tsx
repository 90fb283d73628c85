import { Badge, Group } from '@mantine/core';
import type { EventLevel, EventStatus } from './event-words.ts';
import classes from './marks.module.css';

export const StatusBadge = ({ status }: { status: EventStatus | undefined }) =>
  status === 'Resolved' ? <Badge color="gray">Resolved</Badge> : <Badge color="red">Active</Badge>;

/** A bar that is higher and hotter the worse it is, as in the timeline, with its name. */
export const LevelMark = ({ level }: { level: EventLevel | undefined }) =>
  level ? (
    <Group component="span" gap={6} wrap="nowrap" display="inline-flex" style={{ verticalAlign: 'middle' }}>
      <span className={classes.mark} data-level={level} aria-hidden />
      {level}
    </Group>
  ) : (
    '—'
  );
