import { Badge, Button, Group, Menu } from '@mantine/core';
import {
  appAudit_list,
  crashIssues_list,
  provisioning_profile,
  releases_addDistributionGroup,
  releases_delete,
  releases_updateDetails,
  test_getTestRuns,
} from '@mooring/contract';
import { IconDotsVertical, IconDownload, IconSend } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { type ReleaseDetails, useChangeRelease, useDeleteRelease, useRelease } from '../../api/releases/releases.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { useConfirm } from '../../components/dialogs/use-confirm.tsx';
import { Failure } from '../../components/feedback/failure.tsx';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { toast } from '../../components/feedback/toasts.ts';
import { Page } from '../../components/layout/page.tsx';
import { Time } from '../../components/text/time.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';
import { LinkedTestRuns } from '../device-tests/linked-test-runs.tsx';
import { Compare } from './compare.tsx';
import { ProvisioningProfile } from './devices/provisioning-profile.tsx';
import { Distribute } from './distribute.tsx';
import { ReleaseDestinations } from './release-destinations.tsx';
import { ReleaseHistory } from './release-history.tsx';
import { formatVersion, StateBadge } from './release-labels.tsx';
import { EditNotes, ReleaseNotes } from './release-notes.tsx';
import { InstallLink, ReleasePackage } from './release-package.tsx';
import { ReleaseWarnings } from './release-warnings.tsx';
import { LazyStory } from './story/lazy-story.tsx';

/** Loaded after the page, because it brings the chart code. */
const ReleaseHealth = lazy(() => import('./release-health.tsx'));

/** Keeps the sections below in their place while the chart loads. */
const HealthPlaceholder = () => <div style={{ minHeight: 480 }} />;

export default function ReleasePage() {
  const { appRef } = useCurrentApp();
  const { release = '' } = useParams();
  const query = useRelease(appRef, release);
  return (
    <QueryBoundary query={query} isPage>
      {(data) => <ReleaseView key={data.id} release={data} />}
    </QueryBoundary>
  );
}

function ReleaseView({ release }: { release: ReleaseDetails }) {
  const { appRef, params, can } = useCurrentApp();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const canDistribute = can(releases_addDistributionGroup);
  const canChange = can(releases_updateDetails);
  const [openDialog, setOpenDialog] = useState<'distribute' | 'notes' | undefined>(
    query.has('distribute') && canDistribute ? 'distribute' : undefined,
  );
  const change = useChangeRelease(appRef, release.id);
  const deletion = useDeleteRelease(appRef);
  const close = () => setOpenDialog(undefined);
  const confirmation = useConfirm<ReleaseDetails>({
    title: (one) => `Delete release ${formatVersion(one)}?`,
    action: 'Delete release',
    consequence: ({ download_count = 0 }) =>
      `Deletes the file, and download links stop working. Downloads so far: ${download_count.toLocaleString()}. Existing installs stay. This cannot be undone.`,
    openDialog: {
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
          toast(
            enabled
              ? 'Release enabled. Testers can install it again.'
              : 'Release disabled. Testers can no longer install it.',
            () => setEnabled(!enabled),
          ),
      },
    );
  return (
    <Page
      title={formatVersion(release)}
      description={
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
              Download package
            </Button>
          )}
          {canDistribute && (
            <Button leftSection={<IconSend size={16} aria-hidden />} onClick={() => setOpenDialog('distribute')}>
              Distribute release
            </Button>
          )}
          {(canChange || can(releases_delete)) && (
            <Menu position="bottom-end">
              <Menu.Target>
                <Button variant="default" px="xs" aria-label="More">
                  <IconDotsVertical size={16} aria-hidden />
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                {canChange && (
                  <>
                    <Menu.Item onClick={() => setOpenDialog('notes')}>Edit release notes</Menu.Item>
                    <Menu.Item onClick={() => setEnabled(!release.enabled)}>
                      {release.enabled ? 'Disable release' : 'Enable release'}
                    </Menu.Item>
                  </>
                )}
                {can(releases_delete) && (
                  <Menu.Item c="var(--mantine-color-error)" onClick={() => confirmation.open(release)}>
                    Delete release
                  </Menu.Item>
                )}
              </Menu.Dropdown>
            </Menu>
          )}
        </Group>
      }
    >
      {change.error && <Failure error={change.error} title="Couldn't change the release" />}
      <ReleaseWarnings release={release} />
      <LazyStory query={{ release_id: release.id }} place="release" />
      {can(crashIssues_list) && (
        <Suspense fallback={<HealthPlaceholder />}>
          <ReleaseHealth release={release} />
        </Suspense>
      )}
      <ReleaseDestinations
        release={release}
        onDistribute={canDistribute ? () => setOpenDialog('distribute') : undefined}
      />
      <ReleaseNotes release={release} onEdit={canChange ? () => setOpenDialog('notes') : undefined} />
      <InstallLink release={release} />
      <ReleasePackage release={release} />
      <Compare release={release} />
      {release.provisioning_profile_type && can(provisioning_profile) && <ProvisioningProfile release={release} />}
      {can(test_getTestRuns) && <LinkedTestRuns release_id={release.id} />}
      {can(appAudit_list) && <ReleaseHistory release={release.id} />}
      <Dialog
        opened={openDialog === 'distribute'}
        onClose={close}
        title={`Distribute release ${formatVersion(release)}`}
        size="lg"
      >
        <Distribute release={release} onClose={close} />
      </Dialog>
      <Dialog opened={openDialog === 'notes'} onClose={close} title="Release notes" size="lg">
        <EditNotes release={release} onClose={close} />
      </Dialog>
      {confirmation.dialog}
    </Page>
  );
}
