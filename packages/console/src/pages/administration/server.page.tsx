import { Code, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type Setting, useServer } from '../../api/administration.ts';
import { Copyable } from '../../parts/copyable.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { DescriptionList } from '../../parts/description-list.tsx';
import { Empty } from '../../parts/empty.tsx';
import { TextLink } from '../../parts/links.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page, Part } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { useUrlState } from '../../parts/url-state.ts';

const databases = { sqlite: 'SQLite', postgres: 'PostgreSQL' };

export default function ServerPage() {
  const server = useServer();
  return (
    <Page title="Server" lead="How this server runs.">
      <Loaded reading={server}>
        {({ version, node, started_at, public_url, database, jobs, settings }) => (
          <>
            <DescriptionList
              facts={[
                ['Version', version],
                ['Node.js', node],
                ['Running since', <Time key="started" at={started_at} />],
                ['Public address', <Copyable key="address" value={public_url} label="the public address" />],
                ['Database', databases[database]],
                ['Files are kept in', settings.find(({ name }) => name === 'MOORING_BLOB_STORE')?.value ?? '—'],
                ['Jobs that wait', <JobCount key="waiting" state="waiting" count={jobs.waiting} />],
                ['Jobs that run', <JobCount key="running" state="running" count={jobs.running} />],
                ['Dead letters', <JobCount key="dead" state="dead" count={jobs.dead} />],
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
  <TextLink to={`/admin/jobs?state=${state}`} size="sm">
    {count.toLocaleString()}
  </TextLink>
);

function Settings({ settings }: { settings: Setting[] }) {
  const [text, setText] = useUrlState('q');
  const sought = text.trim().toLowerCase();
  const found = settings.filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(sought));
  return (
    <Part title="Settings" lead="As they are in force. They are set where the server is started.">
      <TextInput
        aria-label="Search settings"
        placeholder="Search by name or meaning"
        type="search"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        maw={420}
      />
      {found.length > 0 ? (
        <DataTable label="Settings" columns={columns} rows={found} keyOf={({ name }) => name} />
      ) : (
        <Empty icon={<IconSearch size={32} aria-hidden />}>No setting is like that.</Empty>
      )}
    </Part>
  );
}

const columns: Column<Setting>[] = [
  { label: 'Setting', isWhole: true, cell: ({ name }) => <Code fz="xs">{name}</Code> },
  { label: 'Value', cell: (setting) => <Value setting={setting} /> },
  {
    label: 'Meaning',
    cell: ({ description }) => (
      <Text size="xs" c="dimmed">
        {description.replaceAll(/`([^`]*)`/g, '“$1”')}
      </Text>
    ),
  },
];

function Value({ setting: { value, is_secret } }: { setting: Setting }) {
  if (value === undefined) return <Text size="sm">not set</Text>;
  return is_secret ? <Text size="sm">set, and hidden</Text> : <Text size="sm">{value || 'empty'}</Text>;
}
