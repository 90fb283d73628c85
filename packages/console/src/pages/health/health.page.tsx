import { Group, SegmentedControl, Select } from '@mantine/core';
import { IconHeartbeat, IconPlus } from '@tabler/icons-react';
import { useMemo } from 'react';
import { type HealthEvent, useEvents, useIsOperator, usePastEvents } from '../../api/health/health.ts';
import { type Subscription, useSubscriptions } from '../../api/health/subscriptions.ts';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { LoadingSkeleton, QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { Page } from '../../components/layout/page.tsx';
import { timeColumn } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import type { Column } from '../../components/tables/table.ts';
import { useListQuery } from '../../components/tables/table-state.ts';
import { ButtonLink, NameLink } from '../../components/text/links.tsx';
import { paths, pathTo } from '../../paths.ts';
import { useUrlState } from '../../routing/url-state.ts';
import { AsQuery } from './api-query.tsx';
import { LevelMark, StatusBadge } from './event-badges.tsx';
import { shortList, typeLabels } from './event-labels.ts';
import { type ChosenFilter, useEventFilter } from './filters/use-event-filter.ts';
import { Timeline } from './timeline/timeline.tsx';
import { daysUntil } from './timeline/timeline-rows.ts';

export default function HealthPage() {
  const subscriptions = useSubscriptions();
  const rights = useIsOperator();
  const isOperator = rights.data?.is_operator ?? false;
  return (
    <Page
      title="Service health"
      description="Incidents, maintenance and advisories."
      actions={
        isOperator && (
          <ButtonLink to={paths.healthPublish} leftSection={<IconPlus size={16} aria-hidden />}>
            Publish event
          </ButtonLink>
        )
      }
    >
      {/* Waits for permissions, so that the button doesn't push the list down later. */}
      {rights.isFetched ? (
        <QueryBoundary query={subscriptions}>
          {(all) => <Health subscriptions={all} isOperator={isOperator} />}
        </QueryBoundary>
      ) : (
        <LoadingSkeleton />
      )}
    </Page>
  );
}

const nothing: HealthEvent[] = [];

const everything = (isOperator: boolean): string =>
  isOperator ? 'All events of this server' : 'My subscriptions and public events';

function Health({ subscriptions, isOperator }: { subscriptions: Subscription[]; isOperator: boolean }) {
  const [subscription, setSubscription] = useUrlState('subscription');
  const [view, setView] = useUrlState('view');
  const allEvents = useEvents({ subscription, filter: '', since: undefined }).data ?? nothing;
  const isTimeline = view === 'timeline';
  const filter = useEventFilter(allEvents, !isTimeline);
  return (
    <>
      <Group gap="sm" justify="space-between">
        <Select
          aria-label="Subscription"
          data={[
            { value: '', label: everything(isOperator) },
            ...subscriptions.map(({ subscriptionId, displayName, owner }) => ({
              value: subscriptionId,
              label: `${displayName} (${owner})`,
            })),
          ]}
          value={subscription}
          onChange={(chosen) => setSubscription(chosen ?? '')}
          allowDeselect={false}
          searchable
          limit={100}
          nothingFoundMessage="No matches"
          flex="1 1 16rem"
          maw={{ sm: 420 }}
        />
        <SegmentedControl
          aria-label="View"
          data={[
            { value: '', label: 'List' },
            { value: 'timeline', label: 'Timeline' },
          ]}
          value={isTimeline ? 'timeline' : ''}
          onChange={setView}
        />
      </Group>
      {isTimeline ? (
        <Past subscription={subscription} filter={filter} />
      ) : (
        <Events subscription={subscription} filter={filter} />
      )}
    </>
  );
}

function Events({ subscription, filter: { filter, since, bar } }: { subscription: string; filter: ChosenFilter }) {
  const { search } = useListQuery([]);
  const events = useEvents({ subscription, filter, since, search });
  return (
    <>
      <DataTable
        id="health"
        label="Events"
        query={events}
        columns={columnsFor(subscription)}
        search="Search events"
        filters={bar}
        rowKey={({ name }) => name}
        isServers
        empty={<EmptyState icon={<IconHeartbeat size={32} aria-hidden />}>No health events</EmptyState>}
      />
      <AsQuery filter={filter} since={since} />
    </>
  );
}

function Past({ subscription, filter }: { subscription: string; filter: ChosenFilter }) {
  const today = new Date().toDateString();
  const days = useMemo(() => daysUntil(new Date(today)), [today]);
  const query = { subscription, filter: filter.filter, since: days[0]?.toISOString() };
  const past = usePastEvents(query);
  return (
    <>
      <Group gap="xs" role="search">
        {filter.bar.element}
      </Group>
      <QueryBoundary query={past}>
        {({ events, hasMore }) => (
          <Timeline
            events={events}
            hasMore={hasMore}
            days={days}
            service={filter.service}
            region={filter.region}
            getPath={({ name }) => pathTo('healthEvent', { trackingId: name }, { subscription })}
          />
        )}
      </QueryBoundary>
      <AsQuery filter={query.filter} since={query.since} />
    </>
  );
}

const listServices = ({ properties }: HealthEvent): string[] =>
  (properties.impact ?? []).map(({ impactedService }) => impactedService);

const listRegions = ({ properties }: HealthEvent): string[] =>
  (properties.impact ?? []).flatMap(({ impactedRegions = [] }) =>
    impactedRegions.map(({ impactedRegion }) => impactedRegion),
  );

const columnsFor = (subscription: string): Column<HealthEvent>[] => [
  {
    id: 'event',
    label: 'Event',
    width: '34%',
    text: ({ properties }) => properties.title,
    cell: ({ name, properties }) => (
      <NameLink to={pathTo('healthEvent', { trackingId: name }, { subscription })}>{properties.title}</NameLink>
    ),
  },
  {
    id: 'type',
    label: 'Type',
    width: 160,
    isSecondary: true,
    text: ({ properties }) => typeLabels[properties.eventType],
    cell: ({ properties }) => typeLabels[properties.eventType],
  },
  {
    id: 'status',
    label: 'Status',
    width: 110,
    text: ({ properties }) => properties.status,
    cell: ({ properties }) => <StatusBadge status={properties.status} />,
  },
  {
    id: 'level',
    label: 'Level',
    width: 130,
    text: ({ properties }) => properties.eventLevel,
    cell: ({ properties }) => <LevelMark level={properties.eventLevel} />,
  },
  {
    id: 'services',
    label: 'Services',
    isWrapped: true,
    text: (event) => listServices(event).join(', '),
    cell: (event) => shortList(listServices(event)),
  },
  {
    id: 'regions',
    label: 'Regions',
    isWrapped: true,
    text: (event) => listRegions(event).join(', '),
    cell: (event) => shortList(listRegions(event)),
  },
  timeColumn('updated', 'Updated', ({ properties }) => properties.lastUpdateTime),
];
