import { Group } from '@mantine/core';
import { useParams } from 'react-router';
import { type HealthEvent, useEvent, useIsOperator } from '../../../api/health/health.ts';
import { QueryBoundary } from '../../../components/feedback/query-boundary.tsx';
import { Page } from '../../../components/layout/page.tsx';
import { Copyable } from '../../../components/text/copyable.tsx';
import { DescriptionList } from '../../../components/text/description-list.tsx';
import { Time } from '../../../components/text/time.tsx';
import { paths, withQuery } from '../../../paths.ts';
import { useUrlState } from '../../../routing/url-state.ts';
import { LevelMark, StatusBadge } from '../event-badges.tsx';
import { typeLabels } from '../event-labels.ts';
import { EventActions } from './event-actions.tsx';
import { EventContent } from './event-content.tsx';
import { EventRegions } from './event-regions.tsx';

export default function EventPage() {
  const { trackingId = '' } = useParams();
  const [subscription] = useUrlState('subscription');
  const event = useEvent(subscription, trackingId);
  const isOperator = useIsOperator().data?.is_operator ?? false;
  const list = withQuery(paths.health, { subscription });
  return (
    <QueryBoundary query={event} isPage>
      {(event) => <View event={event} isOperator={isOperator} list={list} />}
    </QueryBoundary>
  );
}

function View({ event, isOperator, list }: { event: HealthEvent; isOperator: boolean; list: string }) {
  const { title, summary } = event.properties;
  return (
    <Page title={title} description={summary} actions={isOperator && <EventActions event={event} list={list} />}>
      <DescriptionList items={listItems(event)} />
      <EventRegions event={event} canChange={isOperator} />
      <EventContent event={event} />
    </Page>
  );
}

const when = (at: string | undefined) => (at ? <Time at={at} /> : '—');

function listItems({ name, properties }: HealthEvent): Parameters<typeof DescriptionList>[0]['items'] {
  return [
    [
      'Status',
      <Group key="status" gap="sm">
        <StatusBadge status={properties.status} />
        <LevelMark level={properties.eventLevel} />
      </Group>,
    ],
    ['Type', typeLabels[properties.eventType]],
    ['Tracking ID', <Copyable key="id" value={name} label="tracking ID" />],
    ['Started', when(properties.impactStartTime)],
    ['Ended', when(properties.impactMitigationTime)],
    ['Last update', <Time key="updated" at={properties.lastUpdateTime} />],
    ['Priority', `${properties.priority} (0 is highest)`],
    ...(properties.impactType ? [['Impact', properties.impactType] as [string, string]] : []),
    ...(properties.reason ? [['Reason', properties.reason] as [string, string]] : []),
    ...(properties.externalIncidentId ? [['Incident', properties.externalIncidentId] as [string, string]] : []),
  ];
}
