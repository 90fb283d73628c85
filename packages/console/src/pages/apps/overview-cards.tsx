import { Text } from '@mantine/core';
import {
  Analytics_DeviceCounts,
  appAudit_list,
  apps_getOverview,
  apps_update,
  builds_list,
  codePushDeployments_list,
  crashOverview_get,
  test_getTestRuns,
  users_list,
} from '@mooring/contract';
import { type ComponentType, lazy, Suspense } from 'react';
import { useAppOverview, useTelemetry } from '../../api/overview.ts';
import { useIngestion } from '../../api/telemetry/ingestion.ts';
import { TextLink } from '../../components/text/links.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';
import { ActivityCard } from '../overview/activity-card.tsx';
import { AttentionCard } from '../overview/attention-card.tsx';
import { Card, type OverviewCard, RowsSkeleton } from '../overview/card.tsx';
import { Figures } from '../overview/figures.tsx';
import classes from '../overview/overview.module.css';
import { collectAttention } from '../overview/reasons.ts';
import { SetUpCard } from '../overview/setup-card.tsx';
import { appAttention } from './app-attention.ts';
import { VISIBLE_ROWS, versionLabels } from './product-card-layout.ts';

function AppAttention() {
  const { appRef, params } = useCurrentApp();
  const overview = useAppOverview(appRef);
  return (
    <AttentionCard
      results={[collectAttention(overview, ({ attention }) => appAttention(attention, params, Date.now()))]}
    />
  );
}

function AppFigures() {
  const { appRef, params } = useCurrentApp();
  const { data } = useAppOverview(appRef);
  return (
    <Card title="At a glance">
      <Figures
        figures={[
          { label: 'Members', value: data?.member_count, to: pathTo('appUsers', params) },
          { label: 'Distribution groups', value: data?.group_count, to: pathTo('appGroups', params) },
        ]}
      />
    </Card>
  );
}

const total = (days: number[]): number => days.reduce((sum, count) => sum + count, 0);

function AppTelemetry() {
  const { appRef, params } = useCurrentApp();
  const { data, isError } = useTelemetry(appRef, true);
  const analytics = pathTo('appAnalytics', params);
  if (isError || (data && total(data.devices) === 0)) {
    return (
      <Card title="Last 28 days">
        <Text size="sm" c="dimmed" mih={88}>
          {isError ? 'Device data is currently unavailable.' : 'No device data yet.'}
        </Text>
      </Card>
    );
  }
  const days = Array.from<number>({ length: 28 }).fill(0);
  return (
    <Card title="Last 28 days">
      <Figures
        figures={[
          { label: 'Active devices', value: data?.monthlyDevices, curve: data?.devices ?? days, to: analytics },
          { label: 'Sessions', value: data && total(data.sessions), curve: data?.sessions ?? days, to: analytics },
          {
            label: 'Crashes',
            value: data && total(data.crashes),
            curve: data?.crashes ?? days,
            to: pathTo('appCrashes', params),
          },
        ]}
      />
    </Card>
  );
}

function AppSetUp() {
  const { appRef, params } = useCurrentApp();
  const ingestion = useIngestion(appRef, false);
  const { data } = useAppOverview(appRef);
  return (
    <SetUpCard
      steps={[
        {
          text: 'Add the SDK to your app',
          isDone: ingestion.isError ? false : ingestion.data && ingestion.data.first_device !== undefined,
          to: pathTo('appAnalyticsSetUp', params),
          action: 'Set up SDK',
        },
        {
          text: 'Invite your team',
          isDone: data && (data.member_count ?? 0) > 1,
          to: pathTo('appUsers', params),
          action: 'Invite people',
        },
        {
          text: 'Create a distribution group for your testers',
          // Every app has the group Collaborators.
          isDone: data && (data.group_count ?? 0) > 1,
          to: pathTo('appGroups', params),
          action: 'Create group',
        },
        {
          text: 'Create an API token for your build server',
          isDone: data && (data.token_count ?? 0) > 0,
          to: pathTo('appTokens', params),
          action: 'Create token',
        },
      ]}
    />
  );
}

/** Product summaries load after the page, into reserved space. */
type Product = keyof typeof import('./product-cards.tsx');
const loadProduct = (name: Product) => lazy(async () => ({ default: (await import('./product-cards.tsx'))[name] }));

const products = {
  release: loadProduct('LatestRelease'),
  overTheAir: loadProduct('OverTheAir'),
  builds: loadProduct('LatestBuilds'),
  tests: loadProduct('LatestTestRuns'),
};

const ProductRows = ({ rows: Rows }: { rows: ComponentType }) => (
  <div className={classes.rows}>
    <Suspense fallback={<RowsSkeleton rows={VISIBLE_ROWS} />}>
      <Rows />
    </Suspense>
  </div>
);

const AppLatestRelease = () => (
  <Card title="Latest version">
    <Suspense
      fallback={<Figures hasNotes figures={versionLabels.map((label) => ({ label, value: undefined, to: '.' }))} />}
    >
      <products.release />
    </Suspense>
  </Card>
);

const All = ({ to, children }: { to: string; children: string }) => (
  <TextLink to={to} size="sm">
    {children}
  </TextLink>
);

const AppOverTheAir = () => (
  <Card
    title="CodePush updates"
    action={<All to={pathTo('appDeployments', useCurrentApp().params)}>View all deployments</All>}
  >
    <ProductRows rows={products.overTheAir} />
  </Card>
);

const AppBuilds = () => (
  <Card title="Latest builds" action={<All to={pathTo('appBuilds', useCurrentApp().params)}>View all builds</All>}>
    <ProductRows rows={products.builds} />
  </Card>
);

const AppTestRuns = () => (
  <Card title="Latest test runs" action={<All to={pathTo('appTests', useCurrentApp().params)}>View all test runs</All>}>
    <ProductRows rows={products.tests} />
  </Card>
);

function AppActivity() {
  const { appRef, params } = useCurrentApp();
  return <ActivityCard scope={{ kind: 'app', appRef }} all={pathTo('appAudit', params)} />;
}

/** Cards of the app overview, top to bottom; domains add theirs here. */
export const appCards: OverviewCard[] = [
  { needs: apps_getOverview, Card: AppAttention },
  { needs: apps_update, Card: AppSetUp, isAside: true },
  { needs: crashOverview_get, Card: AppLatestRelease },
  { needs: Analytics_DeviceCounts, Card: AppTelemetry },
  { needs: codePushDeployments_list, Card: AppOverTheAir },
  { needs: builds_list, Card: AppBuilds },
  { needs: test_getTestRuns, Card: AppTestRuns },
  { needs: users_list, Card: AppFigures },
  { needs: appAudit_list, Card: AppActivity },
];
