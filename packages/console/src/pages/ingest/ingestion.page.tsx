import { Alert, Button, Code, SimpleGrid, Text } from '@mantine/core';
import { IconAntennaBars5, IconAntennaBarsOff, IconChecks } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { type Ingestion, useIngestion, useSendTest } from '../../api/ingestion.ts';
import { ChartFrame } from '../../parts/charts/chart-frame.tsx';
import { LineChart } from '../../parts/charts/line-chart.tsx';
import { Copyable } from '../../parts/copyable.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { DescriptionList } from '../../parts/description-list.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { FigureCard } from '../../parts/figure-card.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Page, Part } from '../../parts/page.tsx';
import { sizeInWords } from '../../parts/size-words.ts';
import type { Column } from '../../parts/table.ts';
import { Time } from '../../parts/time.tsx';
import { IngestionActions } from './ingestion-actions.tsx';

export default function IngestionPage() {
  const { app, appRef } = useAppHere();
  const reading = useIngestion(appRef);
  const test = useSendTest(app);
  return (
    <Page
      title="Ingestion"
      lead="What comes from the devices of the app, and what becomes of it."
      actions={
        <Button
          variant="default"
          leftSection={<IconAntennaBars5 size={16} aria-hidden />}
          loading={test.isPending}
          onClick={() => test.mutate(undefined)}
        >
          Send a test
        </Button>
      }
    >
      {test.error && <Failure error={test.error} title="The test was not taken" />}
      {test.data && (
        <Alert color="green" icon={<IconChecks aria-hidden />} role="status">
          The test was taken: {test.data.accepted} logs are on the disk.
        </Alert>
      )}
      {reading.data && <IngestionActions isBlocked={reading.data.is_blocked} />}
      <Loaded reading={reading}>{(ingestion) => <Found ingestion={ingestion} />}</Loaded>
    </Page>
  );
}

const MINUTE = 60_000;
const MINUTES = 60;

/** The last hour minute by minute, also those in which nothing came. */
function lastHour({ minutes }: Ingestion) {
  const found = new Map(minutes.map((minute) => [Date.parse(minute.at), minute]));
  const now = Math.floor(Date.now() / MINUTE) * MINUTE;
  const times = Array.from({ length: MINUTES }, (_, at) => now - (MINUTES - 1 - at) * MINUTE);
  const of = (name: 'logs' | 'invalid' | 'dropped') => times.map((at) => found.get(at)?.[name] ?? 0);
  return {
    times: times.map((at) => new Date(at).toISOString()),
    logs: of('logs'),
    series: [
      { name: 'Taken', values: of('logs') },
      { name: 'Invalid', values: of('invalid') },
      { name: 'Dropped', values: of('dropped') },
    ],
  };
}

const CHART = 220;

const clock = (at: string) => new Date(at).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' });

function Found({ ingestion }: { ingestion: Ingestion }) {
  const { app } = useAppHere();
  const { address, is_blocked, last_received_at, hour: lastSixty, day, consumers, hour_limit_bytes } = ingestion;
  const hour = lastHour(ingestion);
  const behind = consumers.filter(({ waiting }) => waiting > 0);
  return (
    <>
      {is_blocked && (
        <Alert color="yellow" title="All logs of this app are dropped">
          Somebody has blocked them. <Code>mooring ingest unblock {`${app.owner.name}/${app.name}`}</Code> takes them
          again.
        </Alert>
      )}
      {lastSixty.limited > 0 && (
        <Alert color="yellow" title="The app reached its hourly limit">
          {lastSixty.limited.toLocaleString()} requests of the last hour were answered with 503. SDKs keep their logs
          and send them again.
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
        <FigureCard label="Logs in the last hour" value={ingestion.hour.logs.toLocaleString()} history={hour.logs} />
        <FigureCard
          label="Logs in the last day"
          value={day.logs.toLocaleString()}
          note={`${day.batches.toLocaleString()} requests`}
        />
        <FigureCard
          label="Invalid in the last day"
          value={day.invalid.toLocaleString()}
          note={`${day.dropped.toLocaleString()} too old or too far ahead, ${day.blocked.toLocaleString()} blocked`}
        />
        <FigureCard
          label="Refused in the last day"
          value={day.refused.toLocaleString()}
          note="Requests that were no JSON"
        />
      </SimpleGrid>
      <ChartFrame
        title="Logs by minute"
        reading={{ data: hour, error: null, refetch: () => undefined }}
        height={CHART}
        table={({ times, series }) => ({
          head: ['Minute', ...series.map(({ name }) => name)],
          rows: times.map((time, at) => [clock(time), ...series.map(({ values }) => values[at] ?? 0)]),
        })}
      >
        {({ times, series }) => (
          <LineChart
            label="Logs by minute"
            height={CHART}
            times={times}
            series={series}
            timeWords={{ short: clock, full: clock }}
          />
        )}
      </ChartFrame>
      <DescriptionList
        items={[
          ['Log address for SDKs', <Copyable key="address" value={address} label="the log address" />],
          ['App secret', <Copyable key="secret" value={app.app_secret} label="the app secret" />],
          [
            'Received in the last hour',
            hour_limit_bytes === undefined
              ? sizeInWords(lastSixty.bytes)
              : `${sizeInWords(lastSixty.bytes)} of ${sizeInWords(hour_limit_bytes)}`,
          ],
          ['Last log', last_received_at ? <Time key="last" at={last_received_at} /> : 'none yet'],
          ...consumers.map(({ name, waiting, waiting_since }): [string, ReactNode] => [
            `Read by ${name}`,
            waiting === 0 ? (
              'all of it'
            ) : (
              <span key={name}>
                {waiting.toLocaleString()} requests wait
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
          Give the SDK this address before it is started, and build the app with this secret. An SDK whose secret no app
          here has is refused with 403 and keeps quiet until the app is started again.
        </Text>
      )}
      <Text size="sm" c="dimmed">
        Requests are kept as they came until their UTC day is over. Until then a file with telemetry that is damaged is
        made again from them; later only a backup of the files brings it back.
      </Text>
      <Part title="Where it comes from">
        <Senders senders={ingestion.senders} />
      </Part>
      <Part title="Invalid logs" lead="Set aside because nobody can read them; the others of their requests were kept.">
        <InvalidLogs logs={ingestion.invalid_logs} />
      </Part>
    </>
  );
}

/** What came with the page, as a table reads it. */
const given = <Row,>(data: Row[]) => ({ data, error: null, refetch: () => undefined });

type Sender = Ingestion['senders'][number];

const senderColumns: Column<Sender>[] = [
  { label: 'SDK', text: ({ sdk }) => sdk, cell: ({ sdk }) => sdk || '(not told)' },
  { label: 'SDK version', text: ({ sdk_version }) => sdk_version, cell: ({ sdk_version }) => sdk_version, width: 130 },
  { label: 'App version', text: ({ app_version }) => app_version, cell: ({ app_version }) => app_version, width: 130 },
  { label: 'Logs', text: ({ logs }) => String(logs), cell: ({ logs }) => logs.toLocaleString(), width: 120 },
  { label: 'Last', text: ({ last_at }) => last_at, cell: ({ last_at }) => <Time at={last_at} />, width: 150 },
];

const Senders = ({ senders }: { senders: Sender[] }) => (
  <DataTable
    label="Senders"
    name="senders"
    reading={given(senders)}
    columns={senderColumns}
    keyOf={({ sdk, sdk_version, app_version }) => `${sdk} ${sdk_version} ${app_version}`}
    empty={
      <Empty icon={<IconAntennaBarsOff size={32} aria-hidden />}>
        Nothing has come yet. “Send a test” shows whether the way is open.
      </Empty>
    }
  />
);

type Invalid = Ingestion['invalid_logs'][number];

const reasons: Record<Invalid['reason'], string> = {
  not_an_object: 'It is no JSON object.',
  unknown_type: 'Its type is not one that SDKs send.',
  bad_timestamp: 'Its timestamp cannot be read.',
  no_device: 'It has no device.',
  too_deep: 'It is nested too deep.',
  too_large: 'It has too many values, or an object with too many keys.',
  too_many_logs: 'The request has more logs than the server accepts; this is the first that was set aside.',
  no_install_id: 'The header Install-ID is missing, or no UUID.',
  no_logs: 'The request has no array called logs.',
};

const invalidColumns: Column<Invalid>[] = [
  {
    label: 'Came',
    text: ({ received_at }) => received_at,
    cell: ({ received_at }) => <Time at={received_at} />,
    width: 150,
  },
  {
    label: 'Why',
    text: ({ reason }) => reasons[reason],
    cell: ({ reason }) => reasons[reason],
    width: 280,
    isWrapped: true,
  },
  { label: 'Log', text: ({ log }) => log, cell: ({ log }) => <Code>{log || '(not shown)'}</Code> },
];

const InvalidLogs = ({ logs }: { logs: Invalid[] }) => (
  <DataTable
    label="Invalid logs"
    name="invalid"
    reading={given(logs)}
    columns={invalidColumns}
    keyOf={({ received_at, install_id, log, reason }) => `${received_at} ${install_id} ${reason} ${log}`}
    empty={<Empty icon={<IconChecks size={32} aria-hidden />}>Everything that came was understood.</Empty>}
  />
);
