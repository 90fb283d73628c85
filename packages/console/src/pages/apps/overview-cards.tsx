import { Text } from '@mantine/core';
import {
  Analytics_DeviceCounts,
  alertRules_list,
  appApiTokens_list,
  appAudit_list,
  appInvitations_list,
  apps_get,
  apps_update,
  azureSubscription_listForApp,
  builds_list,
  codePushDeployments_list,
  crashOverview_get,
  distributionGroups_list,
  test_getTestRuns,
  users_list,
} from '@mooring/contract';
import { type ComponentType, lazy, Suspense } from 'react';
import { appInvitations, useInvitations } from '../../api/account/invitations.ts';
import { appTokens, useTokens } from '../../api/account/tokens.ts';
import { useAppUsers } from '../../api/apps.ts';
import { useAlertRules } from '../../api/health/alerts.ts';
import { appGroups, useGroups } from '../../api/organizations/groups.ts';
import { useAppHealth, useTelemetry } from '../../api/overview.ts';
import { useIngestion } from '../../api/telemetry/ingestion.ts';
import { TextLink } from '../../components/text/links.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';
import { ActivityCard } from '../overview/activity-card.tsx';
import { AttentionCard } from '../overview/attention-card.tsx';
import { Card, type OverviewCard, RowsSkeleton } from '../overview/card.tsx';
import { Figures } from '../overview/figures.tsx';
import classes from '../overview/overview.module.css';
import {
  alertAttention,
  collectAttention,
  eventAttention,
  invitationAttention,
  tokenAttention,
} from '../overview/reasons.ts';
import { SetUpCard } from '../overview/setup-card.tsx';
import { VISIBLE_ROWS, versionLabels } from './product-card-layout.ts';

function AppAttention() {
  const { appRef, params, can } = useCurrentApp();
  const hasInvitations = can(appInvitations_list);
  const hasTokens = can(appApiTokens_list);
  const hasHealth = can(azureSubscription_listForApp);
  const invitations = useInvitations(appInvitations(appRef), hasInvitations);
  const tokens = useTokens(appTokens(appRef), hasTokens);
  const health = useAppHealth(appRef, hasHealth);
  const hasAlerts = can(alertRules_list);
  const alerts = useAlertRules(appRef, hasAlerts);
  return (
    <AttentionCard
      results={[
        hasAlerts ? collectAttention(alerts, (all) => alertAttention(all, pathTo('appAlerts', params))) : [],
        hasHealth ? collectAttention(health, eventAttention) : [],
        hasTokens
          ? collectAttention(tokens, (all) => tokenAttention(all, pathTo('appTokens', params), Date.now()))
          : [],
        hasInvitations
          ? collectAttention(invitations, (all) => invitationAttention(all.length, pathTo('appUsers', params)))
          : [],
      ]}
    />
  );
}

function AppFigures() {
  const { appRef, params, can } = useCurrentApp();
  const users = useAppUsers(appRef);
  const groups = useGroups(appGroups(appRef), can(distributionGroups_list));
  return (
    <Card title="At a glance">
      <Figures
        figures={[
          { label: 'Members', value: users.data?.length, to: pathTo('appUsers', params) },
          ...(can(distributionGroups_list)
            ? [{ label: 'Distribution groups', value: groups.data?.length, to: pathTo('appGroups', params) }]
            : []),
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
  const { app, appRef, params } = useCurrentApp();
  const ingestion = useIngestion(appRef, false);
  const users = useAppUsers(appRef);
  const groups = useGroups(appGroups(appRef));
  const tokens = useTokens(appTokens(appRef));
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
          isDone: users.data && users.data.length > 1,
          to: pathTo('appUsers', params),
          action: 'Invite people',
        },
        {
          text: 'Create a distribution group for your testers',
          // Every app has the collaborators group, with the app's ID.
          isDone: groups.data?.some(({ id }) => id !== app.id),
          to: pathTo('appGroups', params),
          action: 'Create group',
        },
        {
          text: 'Create an API token for your build server',
          isDone: tokens.data && tokens.data.length > 0,
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
  { needs: apps_get, Card: AppAttention },
  { needs: apps_update, Card: AppSetUp, isAside: true },
  { needs: crashOverview_get, Card: AppLatestRelease },
  { needs: Analytics_DeviceCounts, Card: AppTelemetry },
  { needs: codePushDeployments_list, Card: AppOverTheAir },
  { needs: builds_list, Card: AppBuilds },
  { needs: test_getTestRuns, Card: AppTestRuns },
  { needs: users_list, Card: AppFigures },
  { needs: appAudit_list, Card: AppActivity },
];
