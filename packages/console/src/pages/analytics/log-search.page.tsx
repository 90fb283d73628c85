import { Alert, Button, Code, Group, Stack, TextInput } from '@mantine/core';
import { analytics_deleteInstall, analytics_listDeletions } from '@mooring/contract';
import { IconListSearch, IconTrash } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { type Sender, useDeleteSender } from '../../api/analytics.ts';
import { type FoundLog, useFoundLogs } from '../../api/explore.ts';
import { timeColumn } from '../../parts/columns.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { DetailDrawer, useOpenRow } from '../../parts/detail-drawer.tsx';
import { Empty } from '../../parts/empty.tsx';
import { NameLink } from '../../parts/links.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Page } from '../../parts/page.tsx';
import { useQuestion } from '../../parts/question.tsx';
import { useUrlChange, useUrlState } from '../../parts/url-state.ts';
import { AnalyticsBar, useAsked } from './analytics-bar.tsx';
import { Deletions } from './deletions.tsx';
import { of } from './readings.ts';

const DAY = 86_400_000;
const MOST = 200;

/** What a log has to have, by its name in the address and in the question. */
const fields = {
  event: { label: 'Event or page', length: 256 },
  install_id: { label: 'Installation', length: 128 },
  user_id: { label: 'User', length: 256 },
  session_id: { label: 'Session', length: 64 },
  property: { label: 'Property', length: 256 },
  value: { label: 'Value', length: 256 },
} as const;
type Field = keyof typeof fields;
const names = Object.keys(fields) as Field[];

/** What stands in the address. */
function useWanted(): Record<Field, string> {
  const [event] = useUrlState('event');
  const [install_id] = useUrlState('install_id');
  const [user_id] = useUrlState('user_id');
  const [session_id] = useUrlState('session_id');
  const [property] = useUrlState('property');
  const [value] = useUrlState('value');
  return { event, install_id, user_id, session_id, property, value };
}

/** Single logs with their properties, and deletion of all that somebody sent. */
export default function LogSearchPage() {
  const { appRef, may } = useAppHere();
  const { asked } = useAsked();
  const wanted = useWanted();
  const row = useOpenRow();
  // A value is one of a property.
  const given = names.filter((name) => wanted[name] && (name !== 'value' || wanted.property));
  const reading = useFoundLogs(appRef, {
    ...asked,
    // The last day is meant as a whole.
    end: new Date(Date.parse(asked.end ?? asked.start) + DAY - 1).toISOString(),
    $top: MOST,
    ...Object.fromEntries(given.map((name) => [name, wanted[name].slice(0, fields[name].length)])),
  });
  const logs = of(reading, (found) => found.logs.map((log, at) => ({ ...log, key: String(at) })));
  const open = logs.data?.find(({ key }) => key === row.key);
  const deletion = useDeleteSender(appRef);
  const [deleted, setDeleted] = useState<Sender>();
  const deleting = useQuestion<Sender>({
    title: ({ kind, id }) => `Delete all that the ${wordOf[kind]} ${id} sent?`,
    action: 'Delete',
    loss: () =>
      'Sessions, events and crash reports until now are gone from every figure at once, and from all files within minutes. They cannot be brought back. What comes later counts.',
    doing: {
      ...deletion,
      mutate: (sender, options) =>
        deletion.mutate(sender, {
          onSuccess: () => {
            options.onSuccess();
            setDeleted(sender);
          },
        }),
    },
  });
  const senders: Sender[] = [
    ...(wanted.install_id ? [{ kind: 'install' as const, id: wanted.install_id }] : []),
    ...(wanted.user_id ? [{ kind: 'user' as const, id: wanted.user_id }] : []),
  ];
  return (
    <Page
      title="Search logs"
      lead="Single events and pages with their properties, the newest first. Search for an installation or a user to delete what they sent."
      actions={
        may(analytics_deleteInstall) &&
        senders.length > 0 && (
          <Group gap="xs">
            {senders.map((sender) => (
              <Button
                key={sender.kind}
                variant="default"
                color="red"
                leftSection={<IconTrash size={16} aria-hidden />}
                onClick={() => deleting.ask(sender)}
              >
                Delete this {wordOf[sender.kind]}
              </Button>
            ))}
          </Group>
        )
      }
    >
      <Stack gap="md">
        {deleted && (
          <Alert role="status" withCloseButton closeButtonLabel="Close" onClose={() => setDeleted(undefined)}>
            All that the {wordOf[deleted.kind]} {deleted.id} sent until now is deleted: it counts nowhere any more. The
            files that hold it are being written anew.
          </Alert>
        )}
        {may(analytics_listDeletions) && <Deletions />}
        <AnalyticsBar canCompare={false} />
        <Wanted key={JSON.stringify(wanted)} wanted={wanted} />
        <DataTable
          label="Logs"
          search="Search in these"
          reading={logs}
          keyOf={({ key }) => key}
          empty={
            <Empty icon={<IconListSearch size={32} aria-hidden />}>
              No event or page like this in this time. Logs are found some seconds after a device has sent them.
            </Empty>
          }
          columns={[
            {
              label: 'Log',
              text: nameOf,
              cell: (log) => <NameLink to={row.to(log.key)}>{nameOf(log)}</NameLink>,
            },
            {
              label: 'Version',
              width: 110,
              onPhone: 'label',
              text: ({ device }) => device.app_version,
              cell: ({ device }) => device.app_version,
            },
            { label: 'Device', width: 200, isSecondary: true, text: deviceOf, cell: deviceOf },
            {
              label: 'Properties',
              isSecondary: true,
              onPhone: 'hidden',
              text: propertiesOf,
              cell: (log) => propertiesOf(log) || '—',
            },
            timeColumn<NumberedLog>('Made', ({ timestamp }) => timestamp),
          ]}
        />
        {reading.data?.has_more && (
          <Alert>There are more than {MOST}. Ask for fewer days, or say more of what you look for.</Alert>
        )}
      </Stack>
      <DetailDrawer title={open && nameOf(open)} isOpen={open !== undefined} onClose={row.close}>
        {open && (
          <Code block style={{ whiteSpace: 'pre-wrap' }}>
            {JSON.stringify({ ...open, key: undefined }, undefined, 2)}
          </Code>
        )}
      </DetailDrawer>
      {deleting.dialog}
    </Page>
  );
}

type NumberedLog = FoundLog & { key: string };
const wordOf = { install: 'installation', user: 'user' } as const;
const nameOf = ({ name, type }: FoundLog): string => name || type;
const deviceOf = ({ device }: FoundLog): string => [device.model, device.os].filter(Boolean).join(', ');
const propertiesOf = ({ properties = {} }: FoundLog): string =>
  Object.entries(properties)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ');

/** Counting takes a moment, so nothing is asked while somebody types. */
function Wanted({ wanted }: { wanted: Record<Field, string> }) {
  const change = useUrlChange();
  const [typed, setTyped] = useState(wanted);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change(Object.fromEntries(names.map((name) => [name, typed[name].trim() || undefined])));
  };
  return (
    <Group component="form" gap="sm" align="flex-end" onSubmit={submit} aria-label="What to look for" role="search">
      {names.map((name) => (
        <TextInput
          key={name}
          label={fields[name].label}
          size="xs"
          flex="1 1 7rem"
          maxLength={fields[name].length}
          disabled={name === 'value' && !typed.property}
          value={typed[name]}
          onChange={({ currentTarget }) => setTyped({ ...typed, [name]: currentTarget.value })}
        />
      ))}
      <Button type="submit" size="xs">
        Search
      </Button>
    </Group>
  );
}
