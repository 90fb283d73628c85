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
} from '../../api/releases/codepush.ts';
import { BarChart } from '../../components/charts/bar-chart.tsx';
import { ChartFrame } from '../../components/charts/chart-frame.tsx';
import { useConfirm } from '../../components/dialogs/use-confirm.tsx';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { Page, Section } from '../../components/layout/page.tsx';
import { Copyable } from '../../components/text/copyable.tsx';
import { DescriptionList } from '../../components/text/description-list.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';
import { ExplainUpdate } from './explain-update.tsx';
import { HaltDialog } from './halt-dialog.tsx';
import { Keys } from './keys.tsx';
import { MetricsOverTime } from './metrics-over-time.tsx';
import { NewReleaseButton } from './new-release.tsx';
import { Releases } from './releases.tsx';

export default function DeploymentPage() {
  const { appRef } = useCurrentApp();
  const { deployment = '' } = useParams();
  const query = useDeployment(appRef, deployment);
  return (
    <QueryBoundary query={query} isPage>
      {(data) => <DeploymentView key={data.name} deployment={data} />}
    </QueryBoundary>
  );
}

function DeploymentView({ deployment }: { deployment: Deployment }) {
  const { app, appRef, params, can } = useCurrentApp();
  const { name, key = '' } = deployment;
  const navigate = useNavigate();
  const deletion = useDeleteDeployment(appRef);
  const [isHaltOpen, setHaltOpen] = useState(false);
  const releases = useReleases(appRef, name);
  const metrics = useMetrics(appRef, name);
  const confirmation = useConfirm<Deployment>({
    title: ({ name }) => `Delete deployment ${name}?`,
    action: 'Delete deployment',
    consequence: () =>
      'Deletes its releases and metrics. Devices with its key keep their installed version but get no more updates. This cannot be undone.',
    openDialog: {
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
      description="Releases go to all devices whose app contains this deployment key."
      actions={
        <>
          {can(codePushDeploymentReleases_create) && (
            <NewReleaseButton deployment={name} target={releases.data?.at(-1)?.target_binary_range} />
          )}
          {can(codePushDeployments_update) && (
            <Button variant="default" onClick={() => setHaltOpen(true)}>
              Set automatic halt
            </Button>
          )}
          {can(codePushDeployments_delete) && (
            <Button variant="default" onClick={() => confirmation.open(deployment)}>
              Delete deployment
            </Button>
          )}
        </>
      }
    >
      <DescriptionList
        items={[
          ['Deployment key', <Copyable key="key" value={key} label="deployment key" />],
          ['Server URL for SDKs', <Copyable key="server" value={`${window.location.origin}/`} label="server URL" />],
          [
            'Automatic halt',
            deployment.halt_percent === undefined ? 'Off' : `When ${deployment.halt_percent}% of devices roll back`,
          ],
        ]}
      />
      <QueryBoundary query={releases}>
        {(history) =>
          history.length === 0 ? (
            <EmptyState icon={<IconCloudUpload size={32} aria-hidden />}>
              No releases yet. {can(codePushDeploymentReleases_create) ? 'Choose “New release”, or release' : 'Release'}{' '}
              from your build:{' '}
              <Code>{`appcenter codepush release-react -a ${app.owner.name}/${app.name} -d ${name}`}</Code> or{' '}
              <Code>mooring codepush release</Code>.
            </EmptyState>
          ) : (
            <QueryBoundary query={metrics}>
              {(counted) => <History deployment={name} history={history} metrics={counted} />}
            </QueryBoundary>
          )
        }
      </QueryBoundary>
      <Section
        title="Preview update check"
        description="See which release a device would get, and why. Doesn't affect metrics."
      >
        <ExplainUpdate deployment={name} />
      </Section>
      <Section
        title="Keys"
        description="Apps contain the deployment key. After you replace it, the old key keeps working for a while."
      >
        <Keys deployment={name} />
      </Section>
      {confirmation.dialog}
      <HaltDialog deployment={deployment} opened={isHaltOpen} onClose={() => setHaltOpen(false)} />
    </Page>
  );
}

const MAX_BARS = 20;

const CHART = 220;

function History({ deployment, history, metrics }: { deployment: string; history: Release[]; metrics: Metrics[] }) {
  const byLabel = new Map(metrics.map((one) => [one.label, one]));
  const shown = metrics.slice(-MAX_BARS);
  return (
    <>
      {shown.length > 0 ? (
        <ChartFrame
          title="Devices by release"
          query={{ data: shown, error: null, refetch: () => undefined }}
          height={CHART}
          table={(all) => ({
            head: ['Release', 'Active', 'Rolled back'],
            rows: all.map(({ label, active, failed = 0 }) => [label, active, failed]),
          })}
        >
          {(all) => (
            <BarChart
              label="Devices by release"
              height={CHART}
              categories={all.map(({ label }) => label)}
              series={[
                { name: 'Active', values: all.map(({ active }) => active) },
                { name: 'Rolled back', values: all.map(({ failed = 0 }) => failed) },
              ]}
            />
          )}
        </ChartFrame>
      ) : (
        <Group>
          <Text size="sm" c="dimmed">
            No device reports yet.
          </Text>
        </Group>
      )}
      <Section title="Over time" description="Device reports for the latest releases.">
        <MetricsOverTime deployment={deployment} releases={history.flatMap(({ label }) => label ?? [])} />
      </Section>
      <Section title="Releases">
        <Releases deployment={deployment} history={history} metrics={byLabel} />
      </Section>
    </>
  );
}
