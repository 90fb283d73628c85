import { Group, SegmentedControl, Select } from '@mantine/core';
import { IconHeartbeat, IconPlus } from '@tabler/icons-react';
import { useMemo } from 'react';
import { type HealthEvent, useEvents, useIsOperator, usePastEvents } from '../../api/health.ts';
import { type Subscription, useSubscriptions } from '../../api/subscriptions.ts';
import { timeColumn } from '../../parts/columns.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { ButtonLink, NameLink } from '../../parts/links.tsx';
import { Loaded, Outline } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import type { Column } from '../../parts/table.ts';
import { useListQuery } from '../../parts/table-state.ts';
import { useUrlState } from '../../parts/url-state.ts';
import { paths, pathTo } from '../../paths.ts';
import { AsQuery } from './as-query.tsx';
import { shortList, typeWords } from './event-words.ts';
import { LevelMark, StatusBadge } from './marks.tsx';
import { Timeline } from './timeline.tsx';
import { daysUntil } from './timeline-rows.ts';
import { type ChosenFilter, useEventFilter } from './use-event-filter.ts';

export default function HealthPage() {
  const subscriptions = useSubscriptions();
  const rights = useIsOperator();
  const isOperator = rights.data?.is_operator ?? false;
  return (
    <Page
      title="Service health"
      lead="What is broken, planned or advised where you are."
      actions={
        isOperator && (
          <ButtonLink to={paths.healthPublish} leftSection={<IconPlus size={16} aria-hidden />}>
            Publish an event
          </ButtonLink>
        )
      }
    >
      {/* What the reader may do is known first, so that its button does not push the events down. */}
      {rights.isFetched ? (
        <Loaded reading={subscriptions}>{(all) => <Health subscriptions={all} isOperator={isOperator} />}</Loaded>
      ) : (
        <Outline />
      )}
    </Page>
  );
}

const nothing: HealthEvent[] = [];

const everything = (isOperator: boolean): string =>
  isOperator ? 'Every event of this server' : 'All my subscriptions, and what is for everyone';

function Health({ subscriptions, isOperator }: { subscriptions: Subscription[]; isOperator: boolean }) {
  const [subscription, setSubscription] = useUrlState('subscription');
  const [view, setView] = useUrlState('view');
  const known = useEvents({ subscription, filter: '', since: undefined }).data ?? nothing;
  const isTimeline = view === 'timeline';
  const filter = useEventFilter(known, !isTimeline);
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
          nothingFoundMessage="No such subscription"
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
        label="Events"
        reading={events}
        columns={columnsFor(subscription)}
        search="Search events"
        filters={bar}
        keyOf={({ name }) => name}
        isServers
        empty={<Empty icon={<IconHeartbeat size={32} aria-hidden />}>All is well: there are no events.</Empty>}
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
      <Loaded reading={past}>
        {({ events, hasMore }) => (
          <Timeline
            events={events}
            hasMore={hasMore}
            days={days}
            service={filter.service}
            region={filter.region}
            pathOf={({ name }) => pathTo('healthEvent', { trackingId: name }, { subscription })}
          />
        )}
      </Loaded>
      <AsQuery filter={query.filter} since={query.since} />
    </>
  );
}

const servicesOf = ({ properties }: HealthEvent): string[] =>
  (properties.impact ?? []).map(({ impactedService }) => impactedService);

const regionsOf = ({ properties }: HealthEvent): string[] =>
  (properties.impact ?? []).flatMap(({ impactedRegions = [] }) =>
    impactedRegions.map(({ impactedRegion }) => impactedRegion),
  );

const columnsFor = (subscription: string): Column<HealthEvent>[] => [
  {
    label: 'Event',
    width: '34%',
    text: ({ properties }) => properties.title,
    cell: ({ name, properties }) => (
      <NameLink to={pathTo('healthEvent', { trackingId: name }, { subscription })}>{properties.title}</NameLink>
    ),
  },
  {
    label: 'Type',
    width: 160,
    isSecondary: true,
    text: ({ properties }) => typeWords[properties.eventType],
    cell: ({ properties }) => typeWords[properties.eventType],
  },
  {
    label: 'Status',
    width: 110,
    text: ({ properties }) => properties.status,
    cell: ({ properties }) => <StatusBadge status={properties.status} />,
  },
  {
    label: 'Level',
    width: 130,
    text: ({ properties }) => properties.eventLevel,
    cell: ({ properties }) => <LevelMark level={properties.eventLevel} />,
  },
  { label: 'Services', text: (event) => servicesOf(event).join(', '), cell: (event) => shortList(servicesOf(event)) },
  { label: 'Regions', text: (event) => regionsOf(event).join(', '), cell: (event) => shortList(regionsOf(event)) },
  timeColumn('Updated', ({ properties }) => properties.lastUpdateTime),
];
