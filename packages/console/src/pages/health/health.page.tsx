import { Group, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { IconHeartbeat, IconPlus } from '@tabler/icons-react';
import { useMemo } from 'react';
import { type EventQuery, type HealthEvent, useEvents, useIsOperator, usePastEvents } from '../../api/health.ts';
import { type Subscription, useSubscriptions } from '../../api/subscriptions.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { ButtonLink, NameLink } from '../../parts/links.tsx';
import { LoadMore } from '../../parts/load-more.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { useUrlState } from '../../parts/url-state.ts';
import { SUBSCRIPTIONS, subscriptionPath } from '../webhooks/paths.ts';
import { eventPath } from './event-path.ts';
import { shortList, typeWords } from './event-words.ts';
import { AsQuery, Filters } from './filters.tsx';
import { LevelMark, StatusBadge } from './marks.tsx';
import { Timeline } from './timeline.tsx';
import { daysUntil } from './timeline-rows.ts';
import { type ChosenFilter, useEventFilter } from './use-event-filter.ts';

export default function HealthPage() {
  const subscriptions = useSubscriptions();
  const rights = useIsOperator();
  const isOperator = rights.data?.is_operator ?? false;
  const [chosen] = useUrlState('subscription');
  return (
    <Page
      title="Service health"
      lead="What is broken, planned or advised, in the services and regions that you use."
      actions={
        <Group gap="sm">
          {subscriptions.data && subscriptions.data.length > 0 && (
            <ButtonLink variant="default" to={chosen ? subscriptionPath(chosen) : SUBSCRIPTIONS}>
              Webhooks and feeds
            </ButtonLink>
          )}
          {isOperator && (
            <ButtonLink variant="default" to="/health/import">
              Import
            </ButtonLink>
          )}
          {isOperator && (
            <ButtonLink to="/health/publish" leftSection={<IconPlus size={16} aria-hidden />}>
              Publish an event
            </ButtonLink>
          )}
        </Group>
      }
    >
      <Loaded reading={subscriptions}>{(all) => <Health subscriptions={all} isOperator={isOperator} />}</Loaded>
    </Page>
  );
}

const everything = (isOperator: boolean): string =>
  isOperator ? 'Every event of this server' : 'All my subscriptions, and what is for everyone';

function Health({ subscriptions, isOperator }: { subscriptions: Subscription[]; isOperator: boolean }) {
  const [subscription, setSubscription] = useUrlState('subscription');
  const [view, setView] = useUrlState('view');
  const filter = useEventFilter();
  const known = useEvents({ subscription, filter: '', since: undefined }).data ?? [];
  const isTimeline = view === 'timeline';
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
      <Filters filter={filter} known={known} hasSince={!isTimeline} />
      {isTimeline ? (
        <Past subscription={subscription} filter={filter} />
      ) : (
        <Events query={{ subscription, filter: filter.filter, since: filter.since }} />
      )}
    </>
  );
}

function Events({ query }: { query: EventQuery }) {
  const events = useEvents(query);
  const columns = useMemo(() => columnsFor(query.subscription), [query.subscription]);
  return (
    <>
      <AsQuery filter={query.filter} since={query.since} />
      <Loaded reading={events}>
        {(rows) =>
          rows.length > 0 ? (
            <Stack>
              <DataTable label="Events" columns={columns} rows={rows} keyOf={({ name }) => name} />
              <LoadMore pages={events} />
            </Stack>
          ) : (
            <Empty icon={<IconHeartbeat size={32} aria-hidden />}>
              {query.filter || query.since
                ? 'No event is like that. Clear a filter.'
                : 'All is well: there are no events.'}
            </Empty>
          )
        }
      </Loaded>
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
      <AsQuery filter={query.filter} since={query.since} />
      <Loaded reading={past}>
        {({ events, hasMore }) => (
          <Timeline
            events={events}
            hasMore={hasMore}
            days={days}
            service={filter.chosen.service}
            region={filter.chosen.region}
            pathOf={({ name }) => eventPath(name, subscription)}
          />
        )}
      </Loaded>
    </>
  );
}

const regionsOf = ({ properties }: HealthEvent): string[] =>
  (properties.impact ?? []).flatMap(({ impactedRegions = [] }) =>
    impactedRegions.map(({ impactedRegion }) => impactedRegion),
  );

const columnsFor = (subscription: string): Column<HealthEvent>[] => [
  {
    label: 'Event',
    cell: ({ name, properties }) => (
      <div>
        <NameLink to={eventPath(name, subscription)}>{properties.title}</NameLink>
        <Text size="xs" c="dimmed">
          {typeWords[properties.eventType]}
        </Text>
      </div>
    ),
  },
  { label: 'Status', isWhole: true, cell: ({ properties }) => <StatusBadge status={properties.status} /> },
  { label: 'Level', isWhole: true, cell: ({ properties }) => <LevelMark level={properties.eventLevel} /> },
  {
    label: 'Services',
    cell: ({ properties }) => shortList((properties.impact ?? []).map(({ impactedService }) => impactedService)),
  },
  { label: 'Regions', cell: (event) => shortList(regionsOf(event)) },
  { label: 'Last update', isWhole: true, cell: ({ properties }) => <Time at={properties.lastUpdateTime} /> },
];
