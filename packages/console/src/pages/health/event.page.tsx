import { Group } from '@mantine/core';
import { useParams } from 'react-router';
import { type HealthEvent, useEvent, useIsOperator } from '../../api/health.ts';
import { Copyable } from '../../parts/copyable.tsx';
import { DescriptionList } from '../../parts/description-list.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { useUrlState } from '../../parts/url-state.ts';
import { paths, withQuery } from '../../paths.ts';
import { EventActions } from './event-actions.tsx';
import { EventContent } from './event-content.tsx';
import { EventRegions } from './event-regions.tsx';
import { typeWords } from './event-words.ts';
import { LevelMark, StatusBadge } from './marks.tsx';

export default function EventPage() {
  const { trackingId = '' } = useParams();
  const [subscription] = useUrlState('subscription');
  const event = useEvent(subscription, trackingId);
  const isOperator = useIsOperator().data?.is_operator ?? false;
  const list = withQuery(paths.health, { subscription });
  return (
    <Loaded reading={event} isPage>
      {(event) => <View event={event} isOperator={isOperator} list={list} />}
    </Loaded>
  );
}

function View({ event, isOperator, list }: { event: HealthEvent; isOperator: boolean; list: string }) {
  const { title, summary } = event.properties;
  return (
    <Page title={title} lead={summary} actions={isOperator && <EventActions event={event} list={list} />}>
      <DescriptionList items={itemsOf(event)} />
      <EventRegions event={event} canChange={isOperator} />
      <EventContent event={event} />
    </Page>
  );
}

const when = (at: string | undefined) => (at ? <Time at={at} /> : '—');

function itemsOf({ name, properties }: HealthEvent): Parameters<typeof DescriptionList>[0]['items'] {
  return [
    [
      'Status',
      <Group key="status" gap="sm">
        <StatusBadge status={properties.status} />
        <LevelMark level={properties.eventLevel} />
      </Group>,
    ],
    ['Type', typeWords[properties.eventType]],
    ['Tracking id', <Copyable key="id" value={name} label="tracking id" />],
    ['Began', when(properties.impactStartTime)],
    ['Ended', when(properties.impactMitigationTime)],
    ['Last update', <Time key="updated" at={properties.lastUpdateTime} />],
    ['Priority', `${properties.priority} (0 is highest)`],
    ...(properties.impactType ? [['Impact', properties.impactType] as [string, string]] : []),
    ...(properties.reason ? [['Reason', properties.reason] as [string, string]] : []),
    ...(properties.externalIncidentId ? [['Incident', properties.externalIncidentId] as [string, string]] : []),
  ];
}
