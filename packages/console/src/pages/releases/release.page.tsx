import { Alert, Badge, Button, Code, Group, List, Menu, Paper, Stack, Switch, Text } from '@mantine/core';
import {
  appAudit_list,
  provisioning_profile,
  RELEASE_NOTES_MAX,
  releases_addDistributionGroup,
  releases_delete,
  releases_updateDetails,
} from '@mooring/contract';
import { IconDotsVertical, IconDownload, IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import {
  type Destination,
  type ReleaseDetails,
  useChangeRelease,
  useDeleteRelease,
  useProfile,
  useRelease,
  useReleases,
  useSetMandatory,
  useTakeBack,
} from '../../api/releases.ts';
import { AppIcon } from '../../parts/app-icon.tsx';
import { actionsColumn } from '../../parts/columns.tsx';
import { Copyable } from '../../parts/copyable.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { DescriptionList } from '../../parts/description-list.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Form } from '../../parts/form.tsx';
import { NameLink } from '../../parts/links.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { LongTextField } from '../../parts/long-text-field.tsx';
import { Markdown } from '../../parts/markdown.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Page, Part } from '../../parts/page.tsx';
import { QrImage } from '../../parts/qr-image.tsx';
import { useQuestion } from '../../parts/question.tsx';
import { RowButton } from '../../parts/row-button.tsx';
import { sizeInWords } from '../../parts/size-words.ts';
import type { Column } from '../../parts/table.ts';
import { Time } from '../../parts/time.tsx';
import { toast } from '../../parts/toasts.ts';
import { installPath, pathTo } from '../../paths.ts';
import { Distribute } from './distribute.tsx';
import { ReleaseHistory } from './release-history.tsx';
import { StateBadge, versionInWords } from './release-words.tsx';

export default function ReleasePage() {
  const { appRef } = useAppHere();
  const { release = '' } = useParams();
  const reading = useRelease(appRef, release);
  return (
    <Loaded reading={reading} isPage>
      {(found) => <Found key={found.id} release={found} />}
    </Loaded>
  );
}

function Found({ release }: { release: ReleaseDetails }) {
  const { appRef, params, may } = useAppHere();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const mayGive = may(releases_addDistributionGroup);
  const mayChange = may(releases_updateDetails);
  const [doing, setDoing] = useState<'distribute' | 'notes' | undefined>(
    query.has('distribute') && mayGive ? 'distribute' : undefined,
  );
  const change = useChangeRelease(appRef, release.id);
  const deletion = useDeleteRelease(appRef);
  const close = () => setDoing(undefined);
  const question = useQuestion<ReleaseDetails>({
    title: (one) => `Delete ${versionInWords(one)}?`,
    action: 'Delete',
    loss: ({ download_count = 0 }) =>
      `Its file is deleted, and links to it no longer work; it was downloaded ${download_count.toLocaleString()} times. Apps that have it installed keep it. This cannot be undone.`,
    doing: {
      ...deletion,
      mutate: (one) =>
        deletion.mutate(one, { onSuccess: () => void navigate(pathTo('appReleases', params), { replace: true }) }),
    },
  });
  const setEnabled = (enabled: boolean) =>
    change.mutate(
      { enabled },
      {
        onSuccess: () =>
          toast(enabled ? 'It can be installed again.' : 'Nobody can install it any more.', () => setEnabled(!enabled)),
      },
    );
  return (
    <Page
      title={versionInWords(release)}
      lead={
        <Group gap="xs" component="span">
          <StateBadge release={release} />
          {release.mandatory_update && <Badge color="blue">Mandatory</Badge>}
          <span>
            uploaded <Time at={release.uploaded_at} />
          </span>
        </Group>
      }
      actions={
        <Group gap="sm">
          {release.download_url && (
            <Button
              component="a"
              href={release.download_url}
              variant="default"
              leftSection={<IconDownload size={16} aria-hidden />}
            >
              Download
            </Button>
          )}
          {mayGive && (
            <Button leftSection={<IconSend size={16} aria-hidden />} onClick={() => setDoing('distribute')}>
              Distribute
            </Button>
          )}
          {(mayChange || may(releases_delete)) && (
            <Menu position="bottom-end">
              <Menu.Target>
                <Button variant="default" px="xs" aria-label="More">
                  <IconDotsVertical size={16} aria-hidden />
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                {mayChange && (
                  <>
                    <Menu.Item onClick={() => setDoing('notes')}>Edit notes</Menu.Item>
                    <Menu.Item onClick={() => setEnabled(!release.enabled)}>
                      {release.enabled ? 'Disable' : 'Enable'}
                    </Menu.Item>
                  </>
                )}
                {may(releases_delete) && (
                  <Menu.Item c="var(--mantine-color-error)" onClick={() => question.ask(release)}>
                    Delete
                  </Menu.Item>
                )}
              </Menu.Dropdown>
            </Menu>
          )}
        </Group>
      }
    >
      {change.error && <Failure error={change.error} title="It could not be changed" />}
      <Warnings release={release} />
      <Notes release={release} onEdit={mayChange ? () => setDoing('notes') : undefined} />
      <GivenTo release={release} onDistribute={mayGive ? () => setDoing('distribute') : undefined} />
      <TryIt release={release} />
      <ReleaseFields release={release} />
      {release.provisioning_profile_type && may(provisioning_profile) && <Profile release={release} />}
      {may(appAudit_list) && <ReleaseHistory release={release.id} />}
      <Dialog opened={doing === 'distribute'} onClose={close} title={`Distribute ${versionInWords(release)}`} size="lg">
        <Distribute release={release} onClose={close} />
      </Dialog>
      <Dialog opened={doing === 'notes'} onClose={close} title="Release notes" size="lg">
        <EditNotes release={release} onClose={close} />
      </Dialog>
      {question.dialog}
    </Page>
  );
}

const WEEK = 7 * 24 * 60 * 60 * 1000;

/** What stops people from installing it, or soon will. */
function Warnings({ release }: { release: ReleaseDetails }) {
  const { appRef } = useAppHere();
  const all = useReleases(appRef).data ?? [];
  const { provisioning_profile_expiry_date: ends, provisioning_profile_type: type, fileExtension } = release;
  const left = ends ? Date.parse(ends) - Date.now() : undefined;
  const twin = all.find(
    ({ id, version, short_version }) =>
      id < release.id && version === release.version && short_version === release.short_version,
  );
  const found = [
    left !== undefined && left <= 0 && 'Its provisioning profile has expired: no device installs it. Sign it anew.',
    left !== undefined && left > 0 && left < WEEK && 'Its provisioning profile expires within a week.',
    type === 'other' &&
      'It is signed for a store, so devices refuse it from here. Sign it ad hoc or for an enterprise.',
    fileExtension === 'apk' &&
      !release.certificate_fingerprint &&
      'It is not signed: Android refuses it. Sign it with apksigner, then upload it again.',
    fileExtension === 'aab' &&
      'An .aab is for Google Play; phones cannot install it. Upload an .apk for testers who install from here.',
    twin && `Release ${twin.id} has the same version and build: phones that have it may not take this as an update.`,
  ].filter((text) => typeof text === 'string');
  if (found.length === 0) return null;
  return (
    <Alert color="yellow" title="Before you distribute it">
      <List size="sm">
        {found.map((text) => (
          <List.Item key={text}>{text}</List.Item>
        ))}
      </List>
    </Alert>
  );
}

function Notes({ release, onEdit }: { release: ReleaseDetails; onEdit: (() => void) | undefined }) {
  const { app } = useAppHere();
  return (
    <Paper withBorder p="lg" component="section" aria-label="Release notes">
      <Group align="flex-start" wrap="nowrap" gap="lg">
        <AppIcon app={{ ...app, icon_url: release.app_icon_url || app.icon_url }} size={56} />
        <Stack gap="xs" miw={0} flex={1}>
          {release.release_notes?.trim() ? (
            <Markdown text={release.release_notes} />
          ) : (
            <Text size="sm" c="dimmed">
              No notes. Testers are told by them what to try.
            </Text>
          )}
        </Stack>
        {onEdit && (
          <Button variant="default" size="xs" onClick={onEdit}>
            {release.release_notes?.trim() ? 'Edit' : 'Write notes'}
          </Button>
        )}
      </Group>
    </Paper>
  );
}

const notesRule = { isRequired: false, maxLength: RELEASE_NOTES_MAX };

function EditNotes({ release, onClose }: { release: ReleaseDetails; onClose: () => void }) {
  const { appRef } = useAppHere();
  const change = useChangeRelease(appRef, release.id);
  return (
    <Form
      action="Save"
      sending={change}
      onCancel={onClose}
      onSend={(fields) => change.mutate({ release_notes: fields.text('release_notes') ?? '' }, { onSuccess: onClose })}
    >
      <LongTextField
        name="release_notes"
        label="Notes"
        rule={notesRule}
        description="In Markdown: # headings, - lists, **bold**, `code` and links. Testers see them when they install it."
        defaultValue={release.release_notes}
        minRows={6}
        maxRows={20}
        data-autofocus
      />
    </Form>
  );
}

function GivenTo({ release, onDistribute }: { release: ReleaseDetails; onDistribute: (() => void) | undefined }) {
  const { app, appRef, params } = useAppHere();
  const name = `${app.owner.name}/${app.name}`;
  const setting = useSetMandatory(appRef, release.id);
  const question = useQuestion<Destination>({
    title: ({ display_name, name }) => `Take it back from ${display_name ?? name}?`,
    action: 'Take back',
    loss: ({ display_name, name }) =>
      `${display_name ?? name} can no longer install it. Whoever has it installed keeps it.`,
    doing: useTakeBack(appRef, release.id),
  });
  const publicGroups = new Set(
    (release.distribution_groups ?? []).filter(({ is_public }) => is_public).map(({ id }) => id),
  );
  const columns: Column<Destination>[] = [
    {
      label: 'Name',
      text: ({ display_name, name = '' }) => display_name ?? name,
      cell: ({ destination_type, display_name, name = '' }) =>
        destination_type === 'group' ? (
          <NameLink to={pathTo('appGroup', { ...params, group: name })}>{display_name ?? name}</NameLink>
        ) : (
          `${display_name} (${name})`
        ),
    },
    {
      label: 'Kind',
      width: 230,
      text: ({ destination_type = '' }) => destination_type,
      cell: ({ id, destination_type, is_latest }) => (
        <Group gap={4} wrap="nowrap">
          <Badge color="gray">{destination_type === 'tester' ? 'Tester' : 'Group'}</Badge>
          {publicGroups.has(id) && <Badge color="yellow">Public</Badge>}
          {is_latest && <Badge color="blue">Latest</Badge>}
        </Group>
      ),
    },
    {
      label: 'Install page',
      isSecondary: true,
      cell: ({ destination_type, name = '' }) =>
        destination_type === 'group' && (
          <Copyable
            value={window.location.origin + installPath(app, name, release.id)}
            label={`the install page of ${name}`}
          />
        ),
    },
    ...(onDistribute
      ? [
          {
            label: 'Mandatory',
            width: 110,
            onPhone: 'label' as const,
            cell: (destination: Destination) => (
              <Switch
                size="sm"
                aria-label={`Mandatory for ${destination.name}`}
                checked={destination.mandatory_update ?? false}
                disabled={setting.isPending}
                onChange={({ currentTarget }) => setting.mutate({ destination, isMandatory: currentTarget.checked })}
              />
            ),
          },
          actionsColumn<Destination>(110, (destination) => (
            <RowButton label={`Take back from ${destination.name}`} onClick={() => question.ask(destination)}>
              Take back
            </RowButton>
          )),
        ]
      : []),
  ];
  return (
    <Part title="Given to">
      {setting.error && <Failure error={setting.error} title="It could not be changed" />}
      <DataTable
        label="Destinations"
        name="given"
        reading={{ data: release.destinations ?? [], error: null, refetch: () => undefined }}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <Empty
            icon={<IconSend size={32} aria-hidden />}
            action={
              onDistribute && (
                <Stack align="center" gap="xs" maw="100%">
                  <Button onClick={onDistribute}>Distribute</Button>
                  <Copyable
                    value={`mooring releases distribute ${name} ${release.id} --group Testers`}
                    label="the command"
                  />
                </Stack>
              )
            }
          >
            Nobody has it yet.
          </Empty>
        }
      />
      {question.dialog}
    </Part>
  );
}

/** For whoever wants to have it on a phone at once. */
function TryIt({ release: { install_page_url } }: { release: ReleaseDetails }) {
  if (!install_page_url) return null;
  return (
    <Part title="Install it">
      <Group align="center" gap="lg">
        <QrImage value={install_page_url} label="QR code of the install page" size={112} />
        <Stack gap={4} miw={0} flex={1}>
          <Text size="sm">
            Scan the code with the device that it is for. Whoever has this link can install the release without signing
            in, for a while.
          </Text>
          <Copyable value={install_page_url} label="the link to the install page" />
        </Stack>
      </Group>
    </Part>
  );
}

function ReleaseFields({ release }: { release: ReleaseDetails }) {
  const { app } = useAppHere();
  const { permissions = [], architectures = [], build } = release;
  const items: [string, string | number | undefined][] = [
    ['Release', release.id],
    ['Identifier', release.bundle_identifier],
    ['Size', sizeInWords(release.size)],
    ['Kind', release.fileExtension && `.${release.fileExtension}`],
    [
      `Minimum ${app.os}`,
      release.min_os &&
        `${release.min_os}${release.android_min_api_level ? ` (API ${release.android_min_api_level})` : ''}`,
    ],
    ['Devices', release.device_family],
    ['Architectures', architectures.join(', ')],
    ['Downloads', (release.download_count ?? 0).toLocaleString()],
    ['Branch', build?.branch_name],
    ['Commit', build?.commit_hash?.slice(0, 12)],
    ['Commit message', build?.commit_message],
  ];
  return (
    <Part title="Package">
      <DescriptionList
        items={[
          ...items.filter(([, value]) => value !== undefined && value !== ''),
          ['SHA-256', <Copyable key="sha" value={release.fingerprint} label="the SHA-256 of the file" />],
          ...(release.certificate_fingerprint
            ? [
                [
                  'Signed with (SHA-256)',
                  <Copyable key="certificate" value={release.certificate_fingerprint} label="the certificate" />,
                ] satisfies [string, React.ReactNode],
              ]
            : []),
        ]}
      />
      {permissions.length > 0 && (
        <details>
          <summary>
            Asks for {permissions.length === 1 ? 'one permission' : `${permissions.length} permissions`}
          </summary>
          <List size="sm" mt="xs">
            {permissions.map((permission) => (
              <List.Item key={permission}>
                <Code>{permission}</Code>
              </List.Item>
            ))}
          </List>
        </details>
      )}
    </Part>
  );
}

const profileWords = { adhoc: 'Ad hoc', enterprise: 'Enterprise', other: 'Store' };

function Profile({ release }: { release: ReleaseDetails }) {
  const { appRef } = useAppHere();
  const reading = useProfile(appRef, release.id, true);
  return (
    <Part title="Provisioning profile" lead="Which devices may install it.">
      <Loaded reading={reading}>
        {({ provisioning_profile_name, provisioning_profile_type, team_identifier, udids = [] }) => (
          <>
            <DescriptionList
              items={[
                ['Name', provisioning_profile_name ?? '—'],
                ['Type', profileWords[provisioning_profile_type]],
                ['Team', team_identifier ?? '—'],
                [
                  'Expires',
                  release.provisioning_profile_expiry_date ? (
                    <Time key="time" at={release.provisioning_profile_expiry_date} />
                  ) : (
                    '—'
                  ),
                ],
                ['Devices', provisioning_profile_type === 'enterprise' ? 'All of the company' : udids.length],
              ]}
            />
            {udids.length > 0 && (
              <details>
                <summary>Device ids</summary>
                <List size="sm" mt="xs">
                  {udids.map((udid) => (
                    <List.Item key={udid}>
                      <Code>{udid}</Code>
                    </List.Item>
                  ))}
                </List>
              </details>
            )}
          </>
        )}
      </Loaded>
    </Part>
  );
}
