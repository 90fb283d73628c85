import { Text } from '@mantine/core';
import { type AuditScope, useAuditEvents } from '../../api/administration/audit.ts';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { TextLink } from '../../components/text/links.tsx';
import { Time } from '../../components/text/time.tsx';
import { formatActor } from '../audit/event-details.tsx';
import { formatSentence, gather } from '../audit/sentence.ts';
import { Card, RowsSkeleton } from './card.tsx';
import classes from './overview.module.css';

const VISIBLE_ROWS = 8;

/** Latest audit events as sentences. */
export function ActivityCard({ scope, all }: { scope: AuditScope; all: string }) {
  return (
    <Card
      title="Latest activity"
      action={
        <TextLink to={all} size="sm">
          View audit log
        </TextLink>
      }
    >
      <QueryBoundary query={useAuditEvents(scope, {})} skeleton={<RowsSkeleton rows={VISIBLE_ROWS} />}>
        {(events) =>
          events.length > 0 ? (
            <ul className={classes.list}>
              {gather(events)
                .slice(0, VISIBLE_ROWS)
                .flatMap((act) => (act[0] ? [{ act, first: act[0] }] : []))
                .map(({ act, first }) => (
                  <li key={first.id} className={classes.row}>
                    <span className={classes.text}>
                      <strong>{formatActor(first.actor)}</strong> {formatSentence(act)}
                    </span>
                    <span className={classes.when}>
                      <Time at={first.at} />
                    </span>
                  </li>
                ))}
            </ul>
          ) : (
            <Text size="sm" c="dimmed">
              No activity yet
            </Text>
          )
        }
      </QueryBoundary>
    </Card>
  );
}
