import { Code, Text } from '@mantine/core';
import { type Setting, useServer } from '../../api/administration.ts';
import { Copyable } from '../../parts/copyable.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { DescriptionList } from '../../parts/description-list.tsx';
import { TextLink } from '../../parts/links.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page, Part } from '../../parts/page.tsx';
import type { Column } from '../../parts/table.ts';
import { Time } from '../../parts/time.tsx';
import { paths, withQuery } from '../../paths.ts';

const databases = { sqlite: 'SQLite', postgres: 'PostgreSQL' };

export default function ServerPage() {
  const server = useServer();
  return (
    <Page title="Server" lead="How this server runs.">
      <Loaded reading={server}>
        {({ version, node, started_at, public_url, database, jobs, settings }) => (
          <>
            <DescriptionList
              items={[
                ['Version', version],
                ['Node.js', node],
                ['Running since', <Time key="started" at={started_at} />],
                ['Public address', <Copyable key="address" value={public_url} label="the public address" />],
                ['Database', databases[database]],
                ['Files are kept in', settings.find(({ name }) => name === 'MOORING_BLOB_STORE')?.value ?? '—'],
                ['Queued jobs', <JobCount key="waiting" state="waiting" count={jobs.waiting} />],
                ['Running jobs', <JobCount key="running" state="running" count={jobs.running} />],
                ['Failed jobs', <JobCount key="dead" state="dead" count={jobs.dead} />],
              ]}
            />
            <Settings settings={settings} />
          </>
        )}
      </Loaded>
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
    <Part title="Settings" lead="As they are in force; set where the server is started.">
      <DataTable
        label="Settings"
        reading={{ data: settings, error: null, refetch: () => undefined }}
        columns={columns}
        keyOf={({ name }) => name}
        search="Search settings"
        empty={null}
      />
    </Part>
  );
}

const columns: Column<Setting>[] = [
  { label: 'Setting', width: '32%', text: ({ name }) => name, cell: ({ name }) => <Code fz="xs">{name}</Code> },
  { label: 'Value', width: '24%', text: valueInWords, cell: valueInWords },
  {
    label: 'Meaning',
    isWrapped: true,
    text: ({ description }) => description,
    cell: ({ description }) => (
      <Text size="xs" c="dimmed">
        {description.replaceAll(/`([^`]*)`/g, '“$1”')}
      </Text>
    ),
  },
];

function valueInWords({ value, is_secret }: Setting): string {
  if (value === undefined) return 'not set';
  return is_secret ? 'set, and hidden' : value || 'empty';
}
