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
} from '../../api/builds.ts';
import { queries } from '../../api/client.ts';
import { Copyable } from '../../parts/copyable.tsx';
import { DescriptionList } from '../../parts/description-list.tsx';
import { DialogButton } from '../../parts/dialog-button.tsx';
import { Failure } from '../../parts/failure.tsx';
import { TextLink } from '../../parts/links.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Page, Part } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { pathTo } from '../../paths.ts';
import { TestsOf } from '../tests/tests-of.tsx';
import { BuildStateBadge, durationInWords, isOpen, priorityWords, Sha, triggerWords } from './build-words.tsx';
import { DistributeBuild } from './distribute-build.tsx';
import { LogView } from './log-view.tsx';
import { useBuildLog } from './use-build-log.ts';

export default function BuildPage() {
  const { appRef } = useAppHere();
  const { build = '' } = useParams();
  const reading = useBuild(appRef, Number(build) || 0);
  return (
    <Loaded reading={reading} isPage>
      {(found) => <Found key={found.id} known={found} />}
    </Loaded>
  );
}

function Found({ known }: { known: Build }) {
  const { app, appRef, params, may } = useAppHere();
  const { id } = known;
  const navigate = useNavigate();
  const log = useBuildLog(appRef, id);
  const build = log.build ?? known;
  const cancelling = useCancelBuild(appRef);
  const queueing = useRetryBuild(appRef);
  const prioritizing = usePrioritizeBuild(appRef);
  const isRunning = isOpen(build);
  const now = useSeconds(build.status === 'inProgress' || build.status === 'cancelling');
  // Whatever else shows this build is read again when it ends.
  useEffect(() => {
    if (log.isOver && isOpen(known)) void queries.invalidateQueries({ queryKey: [...appKey(appRef), 'builds'] });
  }, [log.isOver, known, appRef]);
  const retry = () =>
    queueing.mutate(
      { id },
      { onSuccess: (made) => void navigate(pathTo('appBuild', { ...params, build: String(made.id) })) },
    );
  const files = (build.downloads ?? []).filter((type) => type !== 'logs');
  return (
    <Page
      title={`Build ${id}`}
      lead={
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
          {build.status === 'notStarted' && may(builds_update) && (
            <Select
              aria-label="Priority"
              data={buildPriorities.map((value) => ({ value, label: priorityWords[value] }))}
              value={build.priority ?? 'normal'}
              onChange={(priority) => priority && prioritizing.mutate({ id, priority })}
              allowDeselect={false}
              w={170}
            />
          )}
          {isRunning && may(builds_update) && (
            <Button
              variant="default"
              leftSection={<IconX size={16} aria-hidden />}
              loading={cancelling.isPending}
              disabled={build.status === 'cancelling'}
              onClick={() => cancelling.mutate({ id })}
            >
              Cancel the build
            </Button>
          )}
          {!isRunning && may(builds_retry) && (
            <Button
              variant="default"
              leftSection={<IconRefresh size={16} aria-hidden />}
              loading={queueing.isPending}
              onClick={retry}
            >
              Build again
            </Button>
          )}
          {build.result === 'succeeded' && files.includes('build') && may(builds_distribute) && (
            <DialogButton
              label="Distribute"
              title={`Distribute build ${id}`}
              leftSection={<IconSend size={16} aria-hidden />}
            >
              {(close) => <DistributeBuild id={id} onClose={close} />}
            </DialogButton>
          )}
        </Group>
      }
    >
      {cancelling.error && <Failure error={cancelling.error} title="It was not cancelled" />}
      {prioritizing.error && <Failure error={prioritizing.error} title="Its priority is as it was" />}
      {queueing.error && <Failure error={queueing.error} title="It was not queued" />}
      {build.failure && (
        <Alert color="red" title="The build failed">
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
      <BuildSummary build={build} now={now} />
      {files.length > 0 && (
        <Part title="Files">
          <Group gap="xs">
            {(build.downloads ?? []).map((type) => (
              <DownloadButton key={type} id={id} type={type} />
            ))}
          </Group>
        </Part>
      )}
      {may(test_getTestRuns) && <TestsOf build_id={id} />}
      <Part title="Log">
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
              ? 'There is no log: the build ended before it began, or it was so long ago that the log is no longer kept.'
              : 'The log appears here when a runner begins.'}
          </Text>
        )}
        <Copyable value={`mooring builds watch ${app.owner.name}/${app.name} ${id}`} label="the command" />
      </Part>
    </Page>
  );
}

/** The time, as long as it matters. */
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
  const { appRef, params } = useAppHere();
  const commit = useCommit(appRef, build.sourceVersion);
  const message = commit.data?.commit?.message?.split('\n')[0];
  const author = commit.data?.commit?.author?.name;
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
        ...(author ? [['Author', author] as [string, string]] : []),
        ['Trigger', triggerWords[build.reason ?? ''] ?? build.reason ?? '—'],
        ...(build.retryOf
          ? [
              [
                'Repeats',
                <TextLink key="retry" to={pathTo('appBuild', { ...params, build: String(build.retryOf) })}>
                  {`Build ${build.retryOf}`}
                </TextLink>,
              ] as [string, ReactNode],
            ]
          : []),
        ...(build.priority && build.priority !== 'normal'
          ? [['Priority', priorityWords[build.priority]] as [string, string]]
          : []),
        ['Started', build.startTime ? <Time key="start" at={build.startTime} /> : '—'],
        ['Duration', durationInWords(build, now)],
      ]}
    />
  );
}

const downloadWords: Record<DownloadType, string> = {
  build: 'Package',
  symbols: 'Symbols',
  mapping: 'Mapping',
  bundle: 'Bundle',
  logs: 'Logs',
};

function DownloadButton({ id, type }: { id: number; type: DownloadType }) {
  const { appRef } = useAppHere();
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
        {downloadWords[type]}
      </Button>
      {error !== undefined && <Failure error={error} />}
    </>
  );
}
