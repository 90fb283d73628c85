import {
  apps_createForOrg,
  apps_listGlances,
  orgAudit_list,
  organizations_get,
  organizations_update,
  orgInvitations_listPending,
  teams_listAll,
  users_listForOrg,
} from '@mooring/contract';
import { orgInvitations, useInvitations } from '../../api/account/invitations.ts';
import { useTeams } from '../../api/organizations/teams.ts';
import { useAppSummaries, useLatestApps, useMemberCount, useOrgHealth } from '../../api/overview.ts';
import type { Webhook } from '../../api/webhooks.ts';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { AppIcon } from '../../components/images/app-icon.tsx';
import { formatCount } from '../../components/text/format-count.ts';
import { NameLink, TextLink } from '../../components/text/links.tsx';
import { useCurrentOrg } from '../../context/permissions.ts';
import { paths, pathTo, withQuery } from '../../paths.ts';
import { ActivityCard } from '../overview/activity-card.tsx';
import { type Attention, AttentionCard } from '../overview/attention-card.tsx';
import { Card, type OverviewCard, RowsSkeleton } from '../overview/card.tsx';
import { Figures } from '../overview/figures.tsx';
import classes from '../overview/overview.module.css';
import { collectAttention, eventAttention, invitationAttention } from '../overview/reasons.ts';
import { SetUpCard } from '../overview/setup-card.tsx';

/** Keeps the card short. */
const VISIBLE_APPS = 8;

const webhookAttention = (failing: { subscription: string; webhook: Webhook }[]): Attention[] =>
  failing.map(({ subscription, webhook: { id, url, disabledReason } }) => ({
    text: `The webhook to ${new URL(url).host} ${disabledReason ? 'is disabled' : 'is failing'}`,
    to: pathTo('healthWebhook', { subscription, webhook: id }),
    isUrgent: true,
  }));

function OrgAttention() {
  const { org, params, can } = useCurrentOrg();
  const hasInvitations = can(orgInvitations_listPending);
  const invitations = useInvitations(orgInvitations(org.name), hasInvitations);
  const health = useOrgHealth(org.name);
  return (
    <AttentionCard
      results={[
        collectAttention(health, ({ events, failing }) => [...webhookAttention(failing), ...eventAttention(events)]),
        hasInvitations
          ? collectAttention(invitations, (all) => invitationAttention(all.length, pathTo('orgInvitations', params)))
          : [],
      ]}
    />
  );
}

function OrgFigures() {
  const { org, params, can } = useCurrentOrg();
  const apps = useLatestApps(org.name);
  const members = useMemberCount(org.name);
  const teams = useTeams(org.name, can(teams_listAll));
  return (
    <Card title="At a glance">
      <Figures
        figures={[
          { label: 'Apps', value: apps.data?.total, to: pathTo('orgApps', params) },
          { label: 'Members', value: members.data, to: pathTo('orgPeople', params) },
          ...(can(teams_listAll)
            ? [{ label: 'Teams', value: teams.data?.length, to: pathTo('orgTeams', params) }]
            : []),
        ]}
      />
    </Card>
  );
}

type AppSummary = NonNullable<ReturnType<typeof useAppSummaries>['data']>[number];

/** Summary of an app, linked to its pages. */
function AppStatus({
  app: { name, latest_release, last_build, open_crashes = 0, alerting_rules = 0 },
}: {
  app: AppSummary;
}) {
  const { params: org } = useCurrentOrg();
  const params = { owners: 'orgs', owner: org.org, app: name };
  const links = [
    ...(alerting_rules > 0 ? [{ to: pathTo('appAlerts', params), text: formatCount(alerting_rules, 'alert') }] : []),
    ...(open_crashes > 0
      ? [{ to: pathTo('appCrashes', params), text: formatCount(open_crashes, 'open crash', 'open crashes') }]
      : []),
    ...(last_build?.result === 'failed'
      ? [{ to: pathTo('appBuild', { ...params, build: String(last_build.id) }), text: `build ${last_build.id} failed` }]
      : []),
    ...(latest_release
      ? [
          {
            to: pathTo('appRelease', { ...params, release: String(latest_release.id) }),
            text: latest_release.short_version,
          },
        ]
      : []),
  ];
  return links.map(({ to, text }) => (
    <span key={to} className={classes.when}>
      <TextLink to={to} size="xs">
        {text}
      </TextLink>
    </span>
  ));
}

function LatestApps() {
  const { org, params } = useCurrentOrg();
  return (
    <Card
      title="Recently updated apps"
      action={
        <TextLink to={pathTo('orgApps', params)} size="sm">
          View all apps
        </TextLink>
      }
    >
      <QueryBoundary query={useAppSummaries(org.name)} skeleton={<RowsSkeleton rows={3} />}>
        {(apps) =>
          apps.length > 0 ? (
            <ul className={classes.list}>
              {apps.slice(0, VISIBLE_APPS).map((app) => (
                <li key={app.id} className={classes.row}>
                  <AppIcon app={app} size={24} />
                  <span className={classes.line}>
                    <NameLink to={pathTo('app', { owners: 'orgs', owner: org.name, app: app.name })}>
                      {app.display_name}
                    </NameLink>
                  </span>
                  <AppStatus app={app} />
                </li>
              ))}
            </ul>
          ) : (
            <div className={classes.row}>No apps yet</div>
          )
        }
      </QueryBoundary>
    </Card>
  );
}

function OrgSetUp() {
  const { org, params, can } = useCurrentOrg();
  const apps = useLatestApps(org.name).data;
  const members = useMemberCount(org.name).data;
  const teams = useTeams(org.name, true).data;
  return (
    <SetUpCard
      steps={[
        ...(can(apps_createForOrg)
          ? [
              {
                text: 'Create your first app',
                isDone: apps && apps.values.length > 0,
                to: withQuery(paths.newApp, { org: org.name }),
                action: 'Create',
              },
            ]
          : []),
        {
          text: 'Invite your colleagues',
          isDone: members === undefined ? undefined : members > 1,
          to: pathTo('orgPeople', params),
          action: 'Invite people',
        },
        {
          text: 'Create a team to share access to apps',
          isDone: teams && teams.length > 0,
          to: pathTo('orgTeams', params),
          action: 'Create',
        },
      ]}
    />
  );
}

function OrgActivity() {
  const { org, params } = useCurrentOrg();
  return <ActivityCard scope={{ kind: 'org', name: org.name }} all={pathTo('orgAudit', params)} />;
}

/** Cards of the organization overview, top to bottom; domains add theirs here. */
export const orgCards: OverviewCard[] = [
  { needs: organizations_get, Card: OrgAttention },
  { needs: organizations_update, Card: OrgSetUp, isAside: true },
  { needs: users_listForOrg, Card: OrgFigures },
  { needs: apps_listGlances, Card: LatestApps },
  { needs: orgAudit_list, Card: OrgActivity },
];
