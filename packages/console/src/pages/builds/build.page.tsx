import { Alert, Button, Group, Select, Text } from '@mantine/core';
import { buildPriorities, builds_distribute, builds_retry, builds_update, test_getTestRuns } from '@mooring/contract';
import { IconDownload, IconRefresh, IconSend, IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { appKey } from '../../api/apps.ts';
import {
  type Build,
  type DownloadType,
  findDownload,
  useBuild,
  useCancelBuild,
  useCommit,
  usePrioritizeBuild,
  useRetryBuild,
} from '../../api/builds/builds.ts';
import { queries } from '../../api/client.ts';
import { useReleaseStory } from '../../api/releases/release-story.ts';
import { DialogButton } from '../../components/dialogs/dialog-button.tsx';
import { Failure } from '../../components/feedback/failure.tsx';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { Page, Section } from '../../components/layout/page.tsx';
import { DescriptionList } from '../../components/text/description-list.tsx';
import { TextLink } from '../../components/text/links.tsx';
import { Time } from '../../components/text/time.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';
import { LinkedTestRuns } from '../device-tests/linked-test-runs.tsx';
import { LazyStory } from '../releases/story/lazy-story.tsx';
import { BuildStateBadge, formatDuration, isOpen, priorityLabels, Sha, triggerLabels } from './build-labels.tsx';
import { DistributeBuild } from './distribute-build.tsx';
import { LogView } from './log/log-view.tsx';
import { useBuildLog } from './log/use-build-log.ts';

export default function BuildPage() {
  const { appRef } = useCurrentApp();
  const { build = '' } = useParams();
  const query = useBuild(appRef, Number(build) || 0);
  return (
    <QueryBoundary query={query} isPage>
      {(data) => <BuildView key={data.id} initialBuild={data} />}
    </QueryBoundary>
  );
}

function BuildView({ initialBuild }: { initialBuild: Build }) {
  const { app, appRef, params, can } = useCurrentApp();
  const { id } = initialBuild;
  const navigate = useNavigate();
  const log = useBuildLog(appRef, id);
  const build = log.build ?? initialBuild;
  const cancelling = useCancelBuild(appRef);
  const queueing = useRetryBuild(appRef);
  const prioritizing = usePrioritizeBuild(appRef);
  const isRunning = isOpen(build);
  const now = useSeconds(build.status === 'inProgress' || build.status === 'cancelling');
  // Refetches other views of this build when it ends.
  useEffect(() => {
    if (log.isOver && isOpen(initialBuild)) void queries.invalidateQueries({ queryKey: [...appKey(appRef), 'builds'] });
  }, [log.isOver, initialBuild, appRef]);
  const retry = () =>
    queueing.mutate(
      { id },
      { onSuccess: (made) => void navigate(pathTo('appBuild', { ...params, build: String(made.id) })) },
    );
  const files = (build.downloads ?? []).filter((type) => type !== 'logs');
  return (
    <Page
      title={`Build ${id}`}
      description={
        <Group gap="xs" component="span">
          <BuildStateBadge build={build} />
          <span>
            of{' '}
            <TextLink to={pathTo('appBranch', { ...params, branch: build.sourceBranch })}>
              {build.sourceBranch}
            </TextLink>
            , queued <Time at={build.queueTime} />
          </span>
        </Group>
      }
      actions={
        <Group gap="sm">
          {build.status === 'notStarted' && can(builds_update) && (
            <Select
              aria-label="Priority"
              data={buildPriorities.map((value) => ({ value, label: priorityLabels[value] }))}
              value={build.priority ?? 'normal'}
              onChange={(priority) => priority && prioritizing.mutate({ id, priority })}
              allowDeselect={false}
              w={170}
            />
          )}
          {isRunning && can(builds_update) && (
            <Button
              variant="default"
              leftSection={<IconX size={16} aria-hidden />}
              loading={cancelling.isPending}
              disabled={build.status === 'cancelling'}
              onClick={() => cancelling.mutate({ id })}
            >
              Cancel build
            </Button>
          )}
          {!isRunning && can(builds_retry) && (
            <Button
              variant="default"
              leftSection={<IconRefresh size={16} aria-hidden />}
              loading={queueing.isPending}
              onClick={retry}
            >
              Rebuild commit
            </Button>
          )}
          {build.result === 'succeeded' && files.includes('build') && can(builds_distribute) && (
            <DialogButton
              label="Distribute build"
              title={`Distribute build ${id}`}
              leftSection={<IconSend size={16} aria-hidden />}
            >
              {(close) => <DistributeBuild id={id} onClose={close} />}
            </DialogButton>
          )}
        </Group>
      }
    >
      {cancelling.error && <Failure error={cancelling.error} title="Couldn't cancel the build" />}
      {prioritizing.error && <Failure error={prioritizing.error} title="Couldn't change the priority" />}
      {queueing.error && <Failure error={queueing.error} title="Couldn't queue the build" />}
      {build.failure && (
        <Alert color="red" title="Build failed">
          {build.failure}
        </Alert>
      )}
      {build.status === 'notStarted' && build.waiting && (
        <Alert color="yellow" title="Waiting for a runner">
          {build.waiting.replaceAll('`', '')}{' '}
          <TextLink size="sm" to={pathTo('appRunners', params)}>
            Runners
          </TextLink>
        </Alert>
      )}
      {!isRunning && <LazyStory query={{ build_id: id }} place="build" />}
      <BuildSummary build={build} now={now} />
      {files.length > 0 && (
        <Section title="Files">
          <Group gap="xs">
            {(build.downloads ?? []).map((type) => (
              <DownloadButton key={type} id={id} type={type} />
            ))}
          </Group>
        </Section>
      )}
      {can(test_getTestRuns) && <LinkedTestRuns build_id={id} />}
      <Section title="Log">
        {log.lines.length > 0 ? (
          <LogView
            lines={log.lines}
            isLive={!log.isOver}
            failure={build.failure}
            fileName={`${app.name}_${id}_log.txt`}
          />
        ) : (
          <Text size="sm" c="dimmed" role="status">
            {log.isOver
              ? 'No log: the build ended before a runner started it, or its log has expired.'
              : 'The log appears here when a runner starts the build.'}
          </Text>
        )}
      </Section>
    </Page>
  );
}

/** The current time, while the build runs. */
function useSeconds(isCounted: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isCounted) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isCounted]);
  return now;
}

function BuildSummary({ build, now }: { build: Build; now: number }) {
  const { appRef, params } = useCurrentApp();
  const commit = useCommit(appRef, build.sourceVersion);
  const message = commit.data?.commit?.message?.split('\n')[0];
  const author = commit.data?.commit?.author?.name;
  const story = useReleaseStory(appRef, { build_id: build.id }).data;
  const releases = [...(story?.release ? [story.release.id] : []), ...(story?.other_releases ?? [])];
  return (
    <DescriptionList
      items={[
        [
          'Commit',
          <span key="commit">
            {commit.data?.url ? (
              <a href={commit.data.url} target="_blank" rel="noreferrer">
                <Sha sha={build.sourceVersion} />
              </a>
            ) : (
              <Sha sha={build.sourceVersion} />
            )}{' '}
            {message}
          </span>,
        ],
        ...(releases.length > 0
          ? [
              [
                releases.length > 1 ? 'Releases' : 'Release',
                <Group key="releases" gap="xs">
                  {releases.map((release) => (
                    <TextLink
                      key={release}
                      size="sm"
                      to={pathTo('appRelease', { ...params, release: String(release) })}
                    >
                      {`Release ${release}`}
                    </TextLink>
                  ))}
                </Group>,
              ] as [string, ReactNode],
            ]
          : []),
        ...(author ? [['Author', author] as [string, string]] : []),
        ['Trigger', triggerLabels[build.reason ?? ''] ?? build.reason ?? '—'],
        ...(build.retryOf
          ? [
              [
                'Rebuild of',
                <TextLink key="retry" to={pathTo('appBuild', { ...params, build: String(build.retryOf) })}>
                  {`Build ${build.retryOf}`}
                </TextLink>,
              ] as [string, ReactNode],
            ]
          : []),
        ...(build.priority && build.priority !== 'normal'
          ? [['Priority', priorityLabels[build.priority]] as [string, string]]
          : []),
        ['Started', build.startTime ? <Time key="start" at={build.startTime} /> : '—'],
        ['Duration', formatDuration(build, now)],
      ]}
    />
  );
}

const downloadLabels: Record<DownloadType, string> = {
  build: 'Package',
  symbols: 'Symbols',
  mapping: 'Mapping',
  bundle: 'Bundle',
  logs: 'Logs',
};

function DownloadButton({ id, type }: { id: number; type: DownloadType }) {
  const { appRef } = useCurrentApp();
  const [error, setError] = useState<unknown>();
  const fetchIt = async () => {
    setError(undefined);
    try {
      window.location.assign(await findDownload(appRef, id, type));
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconDownload size={14} aria-hidden />}
        onClick={() => void fetchIt()}
      >
        {downloadLabels[type]}
      </Button>
      {error !== undefined && <Failure error={error} />}
    </>
  );
}
