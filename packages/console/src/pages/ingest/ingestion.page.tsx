import { Alert, Button, Code, SimpleGrid, Text } from '@mantine/core';
import { IconAntennaBars5, IconAntennaBarsOff, IconChecks } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { type Ingestion, useIngestion, useSendTest } from '../../api/telemetry/ingestion.ts';
import { ChartFrame } from '../../components/charts/chart-frame.tsx';
import { FigureCard } from '../../components/charts/figure-card.tsx';
import { LineChart } from '../../components/charts/line-chart.tsx';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { Failure } from '../../components/feedback/failure.tsx';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { Page, Section } from '../../components/layout/page.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import type { Column } from '../../components/tables/table.ts';
import { Copyable } from '../../components/text/copyable.tsx';
import { DescriptionList } from '../../components/text/description-list.tsx';
import { formatCount } from '../../components/text/format-count.ts';
import { formatSize } from '../../components/text/format-size.ts';
import { Time } from '../../components/text/time.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { IngestionActions } from './ingestion-actions.tsx';

export default function IngestionPage() {
  const { app, appRef } = useCurrentApp();
  const query = useIngestion(appRef);
  const test = useSendTest(app);
  return (
    <Page
      title="Ingestion"
      description="Logs that devices of this app send, and how they are processed."
      actions={
        <Button
          variant="default"
          leftSection={<IconAntennaBars5 size={16} aria-hidden />}
          loading={test.isPending}
          onClick={() => test.mutate(undefined)}
        >
          Send test log
        </Button>
      }
    >
      {test.error && <Failure error={test.error} title="Couldn't send the test log" />}
      {test.data && (
        <Alert color="green" icon={<IconChecks aria-hidden />} role="status">
          Test log received: stored {formatCount(test.data.accepted, 'log')}.
        </Alert>
      )}
      <QueryBoundary query={query}>{(ingestion) => <IngestionDetails ingestion={ingestion} />}</QueryBoundary>
      {query.data && <IngestionActions isBlocked={query.data.is_blocked} />}
    </Page>
  );
}

const MINUTE = 60_000;
const MINUTES = 60;

/** Counts per minute of the last hour, including empty minutes. */
function lastHour({ minutes }: Ingestion) {
  const minutesByTime = new Map(minutes.map((minute) => [Date.parse(minute.at), minute]));
  const now = Math.floor(Date.now() / MINUTE) * MINUTE;
  const times = Array.from({ length: MINUTES }, (_, at) => now - (MINUTES - 1 - at) * MINUTE);
  const getCounts = (name: 'logs' | 'invalid' | 'dropped') => times.map((at) => minutesByTime.get(at)?.[name] ?? 0);
  return {
    times: times.map((at) => new Date(at).toISOString()),
    logs: getCounts('logs'),
    series: [
      { name: 'Accepted', values: getCounts('logs') },
      { name: 'Invalid', values: getCounts('invalid') },
      { name: 'Dropped', values: getCounts('dropped') },
    ],
  };
}

const CHART = 220;

const clock = (at: string) => new Date(at).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' });

function IngestionDetails({ ingestion }: { ingestion: Ingestion }) {
  const { app } = useCurrentApp();
  const { address, is_blocked, last_received_at, hour: lastSixty, day, consumers, hour_limit_bytes } = ingestion;
  const hour = lastHour(ingestion);
  const behind = consumers.filter(({ waiting }) => waiting > 0);
  return (
    <>
      {is_blocked && (
        <Alert color="yellow" title="All logs of this app are dropped">
          A manager chose to drop them. To accept logs again, choose “Accept logs”, or run{' '}
          <Code>mooring ingest unblock {`${app.owner.name}/${app.name}`}</Code>.
        </Alert>
      )}
      {lastSixty.limited > 0 && (
        <Alert color="yellow" title="The app reached its hourly limit">
          {formatCount(lastSixty.limited, 'request was', 'requests were')} rejected with status 503 in the last hour.
          SDKs keep these logs and retry later.
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
        <FigureCard label="Logs in the last hour" value={ingestion.hour.logs.toLocaleString()} history={hour.logs} />
        <FigureCard
          label="Logs in the last day"
          value={day.logs.toLocaleString()}
          note={formatCount(day.batches, 'request')}
        />
        <FigureCard
          label="Invalid in the last day"
          value={day.invalid.toLocaleString()}
          note={`${day.dropped.toLocaleString()} dated too far in the past or future, ${day.blocked.toLocaleString()} blocked`}
        />
        <FigureCard
          label="Rejected in the last day"
          value={day.refused.toLocaleString()}
          note="Requests without valid JSON"
        />
      </SimpleGrid>
      <ChartFrame
        title="Logs per minute"
        query={{ data: hour, error: null, refetch: () => undefined }}
        height={CHART}
        table={({ times, series }) => ({
          head: ['Minute', ...series.map(({ name }) => name)],
          rows: times.map((time, at) => [clock(time), ...series.map(({ values }) => values[at] ?? 0)]),
        })}
      >
        {({ times, series }) => (
          <LineChart
            label="Logs per minute"
            height={CHART}
            times={times}
            series={series}
            timeFormat={{ short: clock, full: clock }}
          />
        )}
      </ChartFrame>
      <DescriptionList
        items={[
          ['Log URL for SDKs', <Copyable key="address" value={address} label="log URL" />],
          ['App secret', <Copyable key="secret" value={app.app_secret} label="app secret" />],
          [
            'Received in the last hour',
            hour_limit_bytes === undefined
              ? formatSize(lastSixty.bytes)
              : `${formatSize(lastSixty.bytes)} of ${formatSize(hour_limit_bytes)}`,
          ],
          ['Last log', last_received_at ? <Time key="last" at={last_received_at} /> : 'None'],
          ...consumers.map(({ name, waiting, waiting_since }): [string, ReactNode] => [
            `Processed by ${name}`,
            waiting === 0 ? (
              'Up to date'
            ) : (
              <span key={name}>
                {formatCount(waiting, 'request')} queued
                {waiting_since && (
                  <>
                    , since <Time at={waiting_since} />
                  </>
                )}
              </span>
            ),
          ]),
        ]}
      />
      {behind.length === 0 && last_received_at === undefined && (
        <Text size="sm" c="dimmed">
          Set this log URL before you start the SDK, and build the app with this secret. The server rejects unknown
          secrets with status 403; the SDK then sends nothing until the app restarts.
        </Text>
      )}
      <Text size="sm" c="dimmed">
        The server keeps received requests until the end of their UTC day. Until then it can rebuild damaged telemetry
        files from them; afterwards only a backup can restore them.
      </Text>
      <Section title="Sources">
        <Sources sources={ingestion.senders} />
      </Section>
      {ingestion.items.length > 0 && (
        <Section
          title="Items of Sentry SDKs"
          description="In the last 24 hours: what the server stored and dropped, and what SDKs discarded before sending."
        >
          <Items items={ingestion.items} />
        </Section>
      )}
      <Section
        title="Invalid logs"
        description="Logs that failed validation. The other logs of the same requests were accepted."
      >
        <InvalidLogs logs={ingestion.invalid_logs} />
      </Section>
    </>
  );
}

/** Wraps loaded rows as a query for a table. */
const toQueryState = <Row,>(data: Row[]) => ({ data, error: null, refetch: () => undefined });

type Source = Ingestion['senders'][number];

const sourceColumns: Column<Source>[] = [
  { id: 'sdk', label: 'SDK', text: ({ sdk }) => sdk, cell: ({ sdk }) => sdk || '(unknown)' },
  {
    id: 'sdk_version',
    label: 'SDK version',
    text: ({ sdk_version }) => sdk_version,
    cell: ({ sdk_version }) => sdk_version,
    width: 130,
  },
  {
    id: 'app_version',
    label: 'App version',
    text: ({ app_version }) => app_version,
    cell: ({ app_version }) => app_version,
    width: 130,
  },
  {
    id: 'logs',
    label: 'Logs',
    text: ({ logs }) => String(logs),
    isNumber: true,
    cell: ({ logs }) => logs.toLocaleString(),
    width: 120,
  },
  {
    id: 'last',
    label: 'Last',
    text: ({ last_at }) => last_at,
    cell: ({ last_at }) => <Time at={last_at} />,
    width: 150,
  },
];

const Sources = ({ sources }: { sources: Source[] }) => (
  <DataTable
    id="ingestion-sources"
    label="Sources"
    name="senders"
    query={toQueryState(sources)}
    columns={sourceColumns}
    rowKey={({ sdk, sdk_version, app_version }) => `${sdk} ${sdk_version} ${app_version}`}
    empty={
      <EmptyState icon={<IconAntennaBarsOff size={32} aria-hidden />}>
        No logs yet. Choose “Send test log” to check ingestion.
      </EmptyState>
    }
  />
);

type Item = Ingestion['items'][number];

const outcomes: Record<Item['outcome'], string> = {
  stored: 'Stored',
  dropped: 'Dropped by the server',
  discarded: 'Discarded by the SDK',
};

const itemReasons: Record<string, string> = {
  not_supported: 'Not supported yet',
  too_large: 'Too large',
  rate_limited: 'Near the hourly limit; only events are stored',
  too_many: 'Too many in one envelope',
  second_event: 'The envelope has two events',
  not_json: 'Not a JSON object',
  invalid: 'Invalid',
  no_event: 'The envelope has no event',
};

const formatReason = ({ outcome, reason }: Item): string =>
  (outcome === 'dropped' ? itemReasons[reason] : undefined) ?? reason;

const itemColumns: Column<Item>[] = [
  { id: 'item', label: 'Item', text: ({ item }) => item, cell: ({ item }) => item },
  {
    id: 'outcome',
    label: 'Outcome',
    text: ({ outcome }) => outcomes[outcome],
    cell: ({ outcome }) => outcomes[outcome],
    width: 200,
  },
  { id: 'reason', label: 'Reason', text: formatReason, cell: formatReason, width: 240 },
  {
    id: 'count',
    label: 'Items',
    text: ({ count }) => String(count),
    isNumber: true,
    cell: ({ count }) => count.toLocaleString(),
    width: 120,
  },
];

const Items = ({ items }: { items: Item[] }) => (
  <DataTable
    id="ingestion-items"
    label="Items of Sentry SDKs"
    name="sentry-items"
    query={toQueryState(items)}
    columns={itemColumns}
    rowKey={({ item, outcome, reason }) => `${item} ${outcome} ${reason}`}
    empty={
      <EmptyState icon={<IconAntennaBarsOff size={32} aria-hidden />}>No items yet. Set up a Sentry SDK.</EmptyState>
    }
  />
);

type Invalid = Ingestion['invalid_logs'][number];

const reasons: Record<Invalid['reason'], string> = {
  not_an_object: 'Not a JSON object.',
  unknown_type: 'Unknown log type.',
  bad_timestamp: 'Invalid timestamp.',
  no_device: 'Device information is missing.',
  too_deep: 'Nested too deeply.',
  too_large: 'Too many values, or an object with too many keys.',
  too_many_logs: 'The request has more logs than the server accepts. This is the first one over the limit.',
  no_install_id: 'The Install-ID header is missing or not a UUID.',
  no_logs: 'The request has no “logs” array.',
};

const invalidColumns: Column<Invalid>[] = [
  {
    id: 'received',
    label: 'Received',
    text: ({ received_at }) => received_at,
    cell: ({ received_at }) => <Time at={received_at} />,
    width: 150,
  },
  {
    id: 'reason',
    label: 'Reason',
    text: ({ reason }) => reasons[reason],
    cell: ({ reason }) => reasons[reason],
    width: 280,
    isWrapped: true,
  },
  { id: 'log', label: 'Log', text: ({ log }) => log, cell: ({ log }) => <Code>{log || '(not shown)'}</Code> },
];

const InvalidLogs = ({ logs }: { logs: Invalid[] }) => (
  <DataTable
    id="ingestion-invalid-logs"
    label="Invalid logs"
    name="invalid"
    query={toQueryState(logs)}
    columns={invalidColumns}
    rowKey={({ received_at, install_id, log, reason }) => `${received_at} ${install_id} ${reason} ${log}`}
    empty={<EmptyState icon={<IconChecks size={32} aria-hidden />}>No invalid logs</EmptyState>}
  />
);
