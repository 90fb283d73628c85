import { Code, Text } from '@mantine/core';
import { type Setting, useServer } from '../../api/administration/administration.ts';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { Page, Section } from '../../components/layout/page.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import type { Column } from '../../components/tables/table.ts';
import { Copyable } from '../../components/text/copyable.tsx';
import { DescriptionList } from '../../components/text/description-list.tsx';
import { TextLink } from '../../components/text/links.tsx';
import { Time } from '../../components/text/time.tsx';
import { paths, withQuery } from '../../paths.ts';

const databases = { sqlite: 'SQLite', postgres: 'PostgreSQL' };

export default function ServerPage() {
  const server = useServer();
  return (
    <Page title="Server">
      <QueryBoundary query={server}>
        {({ version, node, started_at, public_url, database, jobs, settings }) => (
          <>
            <DescriptionList
              items={[
                ['Version', version],
                ['Node.js', node],
                ['Running since', <Time key="started" at={started_at} />],
                ['Public URL', <Copyable key="address" value={public_url} label="public URL" />],
                ['Database', databases[database]],
                ['File storage', settings.find(({ name }) => name === 'MOORING_BLOB_STORE')?.value ?? '—'],
                ['Queued jobs', <JobCount key="waiting" state="waiting" count={jobs.waiting} />],
                ['Running jobs', <JobCount key="running" state="running" count={jobs.running} />],
                ['Failed jobs', <JobCount key="dead" state="dead" count={jobs.dead} />],
              ]}
            />
            <Settings settings={settings} />
          </>
        )}
      </QueryBoundary>
    </Page>
  );
}

const JobCount = ({ state, count }: { state: string; count: number }) => (
  <TextLink to={withQuery(paths.adminJobs, { state })} size="sm">
    {count.toLocaleString()}
  </TextLink>
);

function Settings({ settings }: { settings: Setting[] }) {
  return (
    <Section title="Settings" description="Read from the server's environment when it starts.">
      <DataTable
        id="administration-server"
        label="Settings"
        query={{ data: settings, error: null, refetch: () => undefined }}
        columns={columns}
        rowKey={({ name }) => name}
        search="Search settings"
        empty={null}
      />
    </Section>
  );
}

const columns: Column<Setting>[] = [
  {
    id: 'setting',
    label: 'Setting',
    width: '32%',
    text: ({ name }) => name,
    cell: ({ name }) => <Code fz="xs">{name}</Code>,
  },
  { id: 'value', label: 'Value', width: '24%', text: formatValue, cell: formatValue },
  {
    id: 'description',
    label: 'Description',
    isWrapped: true,
    text: ({ description }) => description,
    cell: ({ description }) => (
      <Text size="xs" c="dimmed">
        {description.replaceAll(/`([^`]*)`/g, '“$1”')}
      </Text>
    ),
  },
];

function formatValue({ value, is_secret }: Setting): string {
  if (value === undefined) return 'not set';
  return is_secret ? 'set (hidden)' : value || 'empty';
}
