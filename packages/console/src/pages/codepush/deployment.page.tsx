import { Button, Code, Group, Text } from '@mantine/core';
import {
  codePushDeploymentReleases_create,
  codePushDeployments_delete,
  codePushDeployments_update,
} from '@mooring/contract';
import { IconCloudUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { appKey } from '../../api/apps.ts';
import { queries } from '../../api/client.ts';
import {
  type Deployment,
  type Metrics,
  type Release,
  useDeleteDeployment,
  useDeployment,
  useMetrics,
  useReleases,
} from '../../api/codepush.ts';
import { ChartFrame } from '../../parts/charts/chart-frame.tsx';
import { LineChart } from '../../parts/charts/line-chart.tsx';
import { Copyable } from '../../parts/copyable.tsx';
import { DescriptionList } from '../../parts/description-list.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Page, Part } from '../../parts/page.tsx';
import { useQuestion } from '../../parts/question.tsx';
import { pathTo } from '../../paths.ts';
import { Explain } from './explain.tsx';
import { HaltDialog } from './halt-dialog.tsx';
import { Keys } from './keys.tsx';
import { MetricsOverTime } from './metrics-over-time.tsx';
import { NewReleaseButton } from './new-release.tsx';
import { Releases } from './releases.tsx';

export default function DeploymentPage() {
  const { appRef } = useAppHere();
  const { deployment = '' } = useParams();
  const reading = useDeployment(appRef, deployment);
  return (
    <Loaded reading={reading} isPage>
      {(found) => <Found key={found.name} deployment={found} />}
    </Loaded>
  );
}

function Found({ deployment }: { deployment: Deployment }) {
  const { app, appRef, params, may } = useAppHere();
  const { name, key = '' } = deployment;
  const navigate = useNavigate();
  const deletion = useDeleteDeployment(appRef);
  const [isHaltOpen, setHaltOpen] = useState(false);
  const releases = useReleases(appRef, name);
  const metrics = useMetrics(appRef, name);
  const question = useQuestion<Deployment>({
    title: ({ name }) => `Delete ${name}?`,
    action: 'Delete',
    loss: () =>
      'Its releases and metrics are gone, and devices with its key get no updates any more; what they have installed stays. This cannot be undone.',
    doing: {
      ...deletion,
      mutate: ({ name }) =>
        deletion.mutate(name, {
          onSuccess: () => {
            void navigate(pathTo('appDeployments', params), { replace: true });
            void queries.invalidateQueries({ queryKey: appKey(appRef) });
          },
        }),
    },
  });
  return (
    <Page
      title={name}
      lead="Releases here reach every device whose app holds this key."
      actions={
        <>
          {may(codePushDeploymentReleases_create) && (
            <NewReleaseButton deployment={name} target={releases.data?.at(-1)?.target_binary_range} />
          )}
          {may(codePushDeployments_update) && (
            <Button variant="default" onClick={() => setHaltOpen(true)}>
              Halt rollouts
            </Button>
          )}
          {may(codePushDeployments_delete) && (
            <Button variant="default" onClick={() => question.ask(deployment)}>
              Delete
            </Button>
          )}
        </>
      }
    >
      <DescriptionList
        items={[
          ['Deployment key', <Copyable key="key" value={key} label="the deployment key" />],
          [
            'Server address for SDKs',
            <Copyable key="server" value={`${window.location.origin}/`} label="the server address" />,
          ],
          [
            'Rollouts are halted',
            deployment.halt_percent === undefined
              ? 'by people only'
              : `when ${deployment.halt_percent} % of devices went back`,
          ],
        ]}
      />
      <Loaded reading={releases}>
        {(history) =>
          history.length === 0 ? (
            <Empty icon={<IconCloudUpload size={32} aria-hidden />}>
              Nothing was released here yet.{' '}
              {may(codePushDeploymentReleases_create) ? 'Drop a package with “New release”, or let' : 'Let'} your build
              do it: <Code>{`appcenter codepush release-react -a ${app.owner.name}/${app.name} -d ${name}`}</Code> or{' '}
              <Code>mooring codepush release</Code>.
            </Empty>
          ) : (
            <Loaded reading={metrics}>
              {(counted) => <History deployment={name} history={history} metrics={counted} />}
            </Loaded>
          )
        }
      </Loaded>
      <Part title="What would this device get?" lead="The answer to a device, and why. Nothing is counted.">
        <Explain deployment={name} />
      </Part>
      <Part title="Keys" lead="What is built into apps. A new one lets the old one count for a while.">
        <Keys deployment={name} />
      </Part>
      {question.dialog}
      <HaltDialog deployment={deployment} opened={isHaltOpen} onClose={() => setHaltOpen(false)} />
    </Page>
  );
}

const MOST_BARS = 20;

const CHART = 220;
/** Releases follow one another as days do, and are called by their labels. */
const releaseWords = { short: (label: string) => label, full: (label: string) => label };

function History({ deployment, history, metrics }: { deployment: string; history: Release[]; metrics: Metrics[] }) {
  const byLabel = new Map(metrics.map((one) => [one.label, one]));
  const shown = metrics.slice(-MOST_BARS);
  return (
    <>
      {shown.length > 0 ? (
        <ChartFrame
          title="Devices by what they run"
          reading={{ data: shown, error: null, refetch: () => undefined }}
          height={CHART}
          table={(all) => ({
            head: ['Release', 'Active', 'Rolled back'],
            rows: all.map(({ label, active, failed = 0 }) => [label, active, failed]),
          })}
        >
          {(all) => (
            <LineChart
              label="Devices by what they run"
              height={CHART}
              times={all.map(({ label }) => label)}
              series={[
                { name: 'Active', values: all.map(({ active }) => active) },
                { name: 'Rolled back', values: all.map(({ failed = 0 }) => failed) },
              ]}
              timeWords={releaseWords}
            />
          )}
        </ChartFrame>
      ) : (
        <Group>
          <Text size="sm" c="dimmed">
            No device has reported yet.
          </Text>
        </Group>
      )}
      <Part title="Over time" lead="What devices reported of the newest releases.">
        <MetricsOverTime deployment={deployment} releases={history.flatMap(({ label }) => label ?? [])} />
      </Part>
      <Part title="Releases">
        <Releases deployment={deployment} history={history} metrics={byLabel} />
      </Part>
    </>
  );
}
