import { Text } from '@mantine/core';
import { type AuditScope, useAuditEvents } from '../../api/audit.ts';
import { TextLink } from '../../parts/links.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Time } from '../../parts/time.tsx';
import { actorInWords } from '../audit/event-details.tsx';
import { gather, sentenceOf } from '../audit/sentence.ts';
import { Card, RowsOutline } from './card.tsx';
import classes from './overview.module.css';

const SHOWN = 8;

/** The latest changes, in sentences. */
export function ActivityCard({ scope, all }: { scope: AuditScope; all: string }) {
  return (
    <Card
      title="Latest activity"
      action={
        <TextLink to={all} size="sm">
          View the audit log
        </TextLink>
      }
    >
      <Loaded reading={useAuditEvents(scope, {})} outline={<RowsOutline rows={SHOWN} />}>
        {(events) =>
          events.length > 0 ? (
            <ul className={classes.list}>
              {gather(events)
                .slice(0, SHOWN)
                .flatMap((act) => (act[0] ? [{ act, first: act[0] }] : []))
                .map(({ act, first }) => (
                  <li key={first.id} className={classes.row}>
                    <span className={classes.text}>
                      <strong>{actorInWords(first.actor)}</strong> {sentenceOf(act)}
                    </span>
                    <span className={classes.when}>
                      <Time at={first.at} />
                    </span>
                  </li>
                ))}
            </ul>
          ) : (
            <Text size="sm" c="dimmed">
              Nothing has changed yet.
            </Text>
          )
        }
      </Loaded>
    </Card>
  );
}
