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
import { useAlertRules } from '../../api/alerts.ts';
import { useAppUsers } from '../../api/apps.ts';
import { appGroups, useGroups } from '../../api/groups.ts';
import { appInvitations, useInvitations } from '../../api/invitations.ts';
import { useHealthOfApp, useTelemetry } from '../../api/overview.ts';
import { appTokens, useTokens } from '../../api/tokens.ts';
import { TextLink } from '../../parts/links.tsx';
import { useAppHere } from '../../parts/may.ts';
import { pathTo } from '../../paths.ts';
import { ActivityCard } from '../overview/activity.tsx';
import { AttentionCard } from '../overview/attention.tsx';
import { Card, type OverviewCard, RowsOutline } from '../overview/card.tsx';
import { Figures } from '../overview/figures.tsx';
import classes from '../overview/overview.module.css';
import { alertAttention, eventAttention, foundIn, invitationAttention, tokenAttention } from '../overview/reasons.ts';
import { SetUpCard } from '../overview/set-up.tsx';
import { SHOWN, versionLabels } from './product-sizes.ts';

function AppAttention() {
  const { appRef, params, may } = useAppHere();
  const hasInvitations = may(appInvitations_list);
  const hasTokens = may(appApiTokens_list);
  const hasHealth = may(azureSubscription_listForApp);
  const invitations = useInvitations(appInvitations(appRef), hasInvitations);
  const tokens = useTokens(appTokens(appRef), hasTokens);
  const health = useHealthOfApp(appRef, hasHealth);
  const hasAlerts = may(alertRules_list);
  const alerts = useAlertRules(appRef, hasAlerts);
  return (
    <AttentionCard
      found={[
        hasAlerts ? foundIn(alerts, (all) => alertAttention(all, pathTo('appAlerts', params))) : [],
        hasHealth ? foundIn(health, eventAttention) : [],
        hasTokens ? foundIn(tokens, (all) => tokenAttention(all, pathTo('appTokens', params), Date.now())) : [],
        hasInvitations
          ? foundIn(invitations, (all) => invitationAttention(all.length, pathTo('appUsers', params)))
          : [],
      ]}
    />
  );
}

function AppFigures() {
  const { appRef, params, may } = useAppHere();
  const users = useAppUsers(appRef);
  const groups = useGroups(appGroups(appRef), may(distributionGroups_list));
  return (
    <Card title="At a glance">
      <Figures
        figures={[
          { label: 'Members', value: users.data?.length, to: pathTo('appUsers', params) },
          ...(may(distributionGroups_list)
            ? [{ label: 'Distribution groups', value: groups.data?.length, to: pathTo('appGroups', params) }]
            : []),
        ]}
      />
    </Card>
  );
}

const total = (days: number[]): number => days.reduce((sum, count) => sum + count, 0);

function AppTelemetry() {
  const { appRef, params } = useAppHere();
  const { data, isError } = useTelemetry(appRef, true);
  const analytics = pathTo('appAnalytics', params);
  if (isError || (data && total(data.devices) === 0)) {
    return (
      <Card title="Last 28 days">
        <Text size="sm" c="dimmed" mih={88}>
          {isError ? 'What devices sent cannot be counted now.' : 'No device has sent anything yet.'}
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
  const { app, appRef, params, may } = useAppHere();
  const telemetry = useTelemetry(appRef, may(Analytics_DeviceCounts));
  const users = useAppUsers(appRef);
  const groups = useGroups(appGroups(appRef));
  const tokens = useTokens(appTokens(appRef));
  return (
    <SetUpCard
      steps={[
        {
          text: 'Add the SDK to your app, with the app secret',
          isDone: telemetry.isError ? false : telemetry.data && total(telemetry.data.devices) > 0,
        },
        {
          text: 'Invite your team',
          isDone: users.data && users.data.length > 1,
          to: pathTo('appUsers', params),
          action: 'Invite',
        },
        {
          text: 'Create a group of testers',
          // Every app has the group of its collaborators, whose ID is that of the app.
          isDone: groups.data?.some(({ id }) => id !== app.id),
          to: pathTo('appGroups', params),
          action: 'Create',
        },
        {
          text: 'Create an API token for your build server',
          isDone: tokens.data && tokens.data.length > 0,
          to: pathTo('appTokens', params),
          action: 'Create',
        },
      ]}
    />
  );
}

/** What other pages show, in short: its code comes after the page, into room that is kept for it. */
type Product = keyof typeof import('./product-cards.tsx');
const shownBy = (name: Product) => lazy(async () => ({ default: (await import('./product-cards.tsx'))[name] }));

const products = {
  release: shownBy('LatestRelease'),
  overTheAir: shownBy('OverTheAir'),
  builds: shownBy('LatestBuilds'),
  tests: shownBy('LatestTestRuns'),
};

const Kept = ({ rows: Rows }: { rows: ComponentType }) => (
  <div className={classes.rows}>
    <Suspense fallback={<RowsOutline rows={SHOWN} />}>
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
    title="Over-the-air updates"
    action={<All to={pathTo('appDeployments', useAppHere().params)}>View all deployments</All>}
  >
    <Kept rows={products.overTheAir} />
  </Card>
);

const AppBuilds = () => (
  <Card title="Latest builds" action={<All to={pathTo('appBuilds', useAppHere().params)}>View all builds</All>}>
    <Kept rows={products.builds} />
  </Card>
);

const AppTestRuns = () => (
  <Card title="Latest test runs" action={<All to={pathTo('appTests', useAppHere().params)}>View all test runs</All>}>
    <Kept rows={products.tests} />
  </Card>
);

function AppActivity() {
  const { appRef, params } = useAppHere();
  return <ActivityCard scope={{ kind: 'app', appRef }} all={pathTo('appAudit', params)} />;
}

/** What an app's overview shows, from the top down: a domain adds its own cards here. */
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
