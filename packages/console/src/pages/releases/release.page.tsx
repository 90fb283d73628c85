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
import { type ReleaseDetails, useChangeRelease, useDeleteRelease, useRelease } from '../../api/releases.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Page } from '../../parts/page.tsx';
import { useQuestion } from '../../parts/question.tsx';
import { Time } from '../../parts/time.tsx';
import { toast } from '../../parts/toasts.ts';
import { pathTo } from '../../paths.ts';
import { TestsOf } from '../tests/tests-of.tsx';
import { Compare } from './compare.tsx';
import { Distribute } from './distribute.tsx';
import { ProvisioningProfile } from './provisioning-profile.tsx';
import { ReleaseDestinations } from './release-destinations.tsx';
import { ReleaseHistory } from './release-history.tsx';
import { EditNotes, ReleaseNotes } from './release-notes.tsx';
import { InstallLink, ReleasePackage } from './release-package.tsx';
import { ReleaseWarnings } from './release-warnings.tsx';
import { StateBadge, versionInWords } from './release-words.tsx';

/** With its charts, it comes after the page. */
const ReleaseFate = lazy(() => import('./release-fate.tsx'));

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
      <ReleaseWarnings release={release} />
      <ReleaseNotes release={release} onEdit={mayChange ? () => setDoing('notes') : undefined} />
      <ReleaseDestinations release={release} onDistribute={mayGive ? () => setDoing('distribute') : undefined} />
      <InstallLink release={release} />
      <ReleasePackage release={release} />
      <Compare release={release} />
      {release.provisioning_profile_type && may(provisioning_profile) && <ProvisioningProfile release={release} />}
      {may(test_getTestRuns) && <TestsOf release_id={release.id} />}
      {may(appAudit_list) && <ReleaseHistory release={release.id} />}
      {may(crashIssues_list) && (
        <Suspense>
          <ReleaseFate release={release} />
        </Suspense>
      )}
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
