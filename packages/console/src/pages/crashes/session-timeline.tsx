import { Skeleton, Text } from '@mantine/core';
import {
  IconAdjustments,
  IconBell,
  IconBolt,
  IconBug,
  IconCircleDot,
  IconFlask,
  IconLayout,
  IconPlayerPlay,
  IconWorld,
} from '@tabler/icons-react';
import { type SessionLog, useSessionLogs } from '../../api/telemetry/crashes.ts';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { Section } from '../../components/layout/page.tsx';
import { formatTimeWithUtc } from '../../components/text/format-time.ts';
import { TextLink } from '../../components/text/links.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';
import { formatClock, formatOffset } from './offset.ts';
import classes from './session-timeline.module.css';

const types: Record<SessionLog['type'], { label: string; Icon: typeof IconBug }> = {
  event: { label: 'Event', Icon: IconBolt },
  page: { label: 'Page', Icon: IconLayout },
  start_session: { label: 'Session started', Icon: IconPlayerPlay },
  error: { label: 'Crash', Icon: IconBug },
  push_installation: { label: 'Registered for push', Icon: IconBell },
  start_service: { label: 'SDK service started', Icon: IconCircleDot },
  custom_properties: { label: 'Custom properties set', Icon: IconAdjustments },
  distribution_start_session: { label: 'Tester session started', Icon: IconFlask },
};

/** Requests have the names that apps commonly use for their URL. */
const isRequest = ({ type, properties = {} }: SessionLog): boolean =>
  type === 'event' && Object.keys(properties).some((name) => /^(url|http[._]url|request[._]url)$/i.test(name));

const formatProperties = ({ properties = {} }: SessionLog): string =>
  Object.entries(properties)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ');

interface TimelineProps {
  errorId: string;
  /** The installation and user of the report, whose logs the search finds. */
  installId: string | undefined;
}

/** The session up to the crash: each event with its time before the crash and its time of the day. */
export function SessionTimeline({ errorId, installId }: TimelineProps) {
  const { appRef, params } = useCurrentApp();
  const query = useSessionLogs(appRef, errorId);
  return (
    <Section
      title="Timeline of the session"
      description={
        query.data?.exceeded_max_limit ? 'The last 100 events up to the crash.' : 'The session up to the crash.'
      }
      actions={
        installId && (
          <TextLink size="sm" to={pathTo('appLogSearch', params, { install_id: installId })}>
            All events of this device
          </TextLink>
        )
      }
    >
      <QueryBoundary query={query} skeleton={<Skeleton height={140} />}>
        {({ logs }) => {
          const crash = Date.parse(logs.at(-1)?.timestamp ?? '');
          return (
            <ol className={classes.timeline}>
              {logs.map((log, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: logs have no other identity
                <Entry key={at} log={log} crash={crash} isCrash={at === logs.length - 1} />
              ))}
            </ol>
          );
        }}
      </QueryBoundary>
    </Section>
  );
}

function Entry({ log, crash, isCrash }: { log: SessionLog; crash: number; isCrash: boolean }) {
  const at = Date.parse(log.timestamp);
  const { label, Icon } = isRequest(log) ? { label: 'Request', Icon: IconWorld } : types[log.type];
  const look = isCrash ? classes.crash : undefined;
  return (
    <li className={classes.entry}>
      <span className={`${classes.offset} ${look ?? ''}`}>{formatOffset(at, crash)}</span>
      <span className={`${classes.icon} ${look ?? ''}`}>
        <Icon size={16} aria-hidden />
      </span>
      <div className={classes.details}>
        <span className={look}>{isCrash || !log.event_name ? label : log.event_name}</span>
        {!isCrash && log.event_name && (
          <Text span size="xs" c="dimmed" ml={6}>
            {label}
          </Text>
        )}
        {!isCrash && formatProperties(log) && (
          <Text size="xs" c="dimmed">
            {formatProperties(log)}
          </Text>
        )}
      </div>
      <time className={classes.time} dateTime={log.timestamp} title={formatTimeWithUtc(at)}>
        {formatClock(at)}
      </time>
    </li>
  );
}
