import { Group, Select, TextInput } from '@mantine/core';
import { platformsOf } from '@mooring/contract';
import { IconApps, IconPlus, IconSearch } from '@tabler/icons-react';
import { useDeferredValue, useMemo } from 'react';
import { type App, useApps } from '../../api/apps.ts';
import { Empty } from '../../parts/empty.tsx';
import { ButtonLink } from '../../parts/links.tsx';
import { PagedTable } from '../../parts/list.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { useUrlState } from '../../parts/url-state.ts';
import { appColumn, factColumns, ownerColumn } from './app-columns.tsx';
import { filterApps, ownersOf } from './app-filter.ts';

export default function HomePage() {
  const apps = useApps();
  return (
    <Page
      title="Apps"
      lead="Every app that you can see, whoever owns it."
      actions={
        <ButtonLink to="/create/app" leftSection={<IconPlus size={16} aria-hidden />}>
          New app
        </ButtonLink>
      }
    >
      <Loaded reading={apps}>{(all) => (all.length > 0 ? <Apps all={all} /> : <NoApps />)}</Loaded>
    </Page>
  );
}

const columns = [appColumn, ownerColumn, ...factColumns];

function Apps({ all }: { all: App[] }) {
  const [text, setText] = useUrlState('q');
  const [os, setOs] = useUrlState('os');
  const [owner, setOwner] = useUrlState('owner');
  const typed = useDeferredValue(text);
  const owners = useMemo(() => ownersOf(all), [all]);
  const found = useMemo(() => filterApps(all, { text: typed, os, owner }), [all, typed, os, owner]);
  return (
    <>
      <Group gap="sm" role="search">
        <TextInput
          aria-label="Search apps"
          placeholder="Search by name or owner"
          type="search"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          flex="1 1 16rem"
        />
        <Select
          aria-label="Operating system"
          placeholder="Any OS"
          data={Object.keys(platformsOf)}
          value={os || null}
          onChange={(chosen) => setOs(chosen ?? '')}
          clearable
          flex="1 1 8rem"
          maw={{ xs: '10rem' }}
        />
        <Select
          aria-label="Owner"
          placeholder="Any owner"
          data={owners}
          value={owner || null}
          onChange={(chosen) => setOwner(chosen ?? '')}
          clearable
          searchable
          limit={100}
          nothingFoundMessage="No such owner"
          flex="1 1 8rem"
          maw={{ xs: '14rem' }}
        />
      </Group>
      {found.length > 0 ? (
        <PagedTable label="Apps" columns={columns} rows={found} keyOf={({ id }) => id} />
      ) : (
        <Empty icon={<IconSearch size={32} aria-hidden />}>
          None of your {all.length.toLocaleString()} apps is like that. Search for less, or clear a filter.
        </Empty>
      )}
    </>
  );
}

const NoApps = () => (
  <Empty
    icon={<IconApps size={32} aria-hidden />}
    action={<ButtonLink to="/create/app">Create the first one</ButtonLink>}
  >
    You have no apps yet. Create one, or ask somebody to invite you to theirs.
  </Empty>
);
