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
import { orgInvitations, useInvitations } from '../../api/invitations.ts';
import { useGlances, useHealthOfOrg, useLatestApps, useMemberCount } from '../../api/overview.ts';
import { useTeams } from '../../api/teams.ts';
import type { Webhook } from '../../api/webhooks.ts';
import { AppIcon } from '../../parts/app-icon.tsx';
import { NameLink, TextLink } from '../../parts/links.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useOrgHere } from '../../parts/may.ts';
import { paths, pathTo, withQuery } from '../../paths.ts';
import { ActivityCard } from '../overview/activity.tsx';
import { type Attention, AttentionCard } from '../overview/attention.tsx';
import { Card, type OverviewCard, RowsOutline } from '../overview/card.tsx';
import { Figures } from '../overview/figures.tsx';
import classes from '../overview/overview.module.css';
import { eventAttention, foundIn, invitationAttention } from '../overview/reasons.ts';
import { SetUpCard } from '../overview/set-up.tsx';

/** More would make a list of what is meant to be looked over. */
const SHOWN = 8;

const webhookAttention = (failing: { subscription: string; webhook: Webhook }[]): Attention[] =>
  failing.map(({ subscription, webhook: { id, url, disabledReason } }) => ({
    text: `The webhook to ${new URL(url).host} ${disabledReason ? 'is disabled' : 'is failing'}`,
    to: pathTo('healthWebhook', { subscription, webhook: id }),
    isUrgent: true,
  }));

function OrgAttention() {
  const { org, params, may } = useOrgHere();
  const hasInvitations = may(orgInvitations_listPending);
  const invitations = useInvitations(orgInvitations(org.name), hasInvitations);
  const health = useHealthOfOrg(org.name);
  return (
    <AttentionCard
      found={[
        foundIn(health, ({ events, failing }) => [...webhookAttention(failing), ...eventAttention(events)]),
        hasInvitations
          ? foundIn(invitations, (all) => invitationAttention(all.length, pathTo('orgInvitations', params)))
          : [],
      ]}
    />
  );
}

function OrgFigures() {
  const { org, params, may } = useOrgHere();
  const apps = useLatestApps(org.name);
  const members = useMemberCount(org.name);
  const teams = useTeams(org.name, may(teams_listAll));
  return (
    <Card title="At a glance">
      <Figures
        figures={[
          { label: 'Apps that you can see', value: apps.data?.total, to: pathTo('orgApps', params) },
          { label: 'Members', value: members.data, to: pathTo('orgPeople', params) },
          ...(may(teams_listAll)
            ? [{ label: 'Teams', value: teams.data?.length, to: pathTo('orgTeams', params) }]
            : []),
        ]}
      />
    </Card>
  );
}

type Glance = NonNullable<ReturnType<typeof useGlances>['data']>[number];

/** What is known of an app, each with the page that tells more. */
function Glances({ app: { name, latest_release, last_build, open_crashes = 0, alerting_rules = 0 } }: { app: Glance }) {
  const { params: org } = useOrgHere();
  const params = { owners: 'orgs', owner: org.org, app: name };
  const links = [
    ...(alerting_rules > 0
      ? [{ to: pathTo('appAlerts', params), text: alerting_rules === 1 ? '1 alert' : `${alerting_rules} alerts` }]
      : []),
    ...(open_crashes > 0
      ? [{ to: pathTo('appCrashes', params), text: `${open_crashes} open ${open_crashes === 1 ? 'crash' : 'crashes'}` }]
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
  const { org, params } = useOrgHere();
  return (
    <Card
      title="Recently changed apps"
      action={
        <TextLink to={pathTo('orgApps', params)} size="sm">
          View all apps
        </TextLink>
      }
    >
      <Loaded reading={useGlances(org.name)} outline={<RowsOutline rows={3} />}>
        {(apps) =>
          apps.length > 0 ? (
            <ul className={classes.list}>
              {apps.slice(0, SHOWN).map((app) => (
                <li key={app.id} className={classes.row}>
                  <AppIcon app={app} size={24} />
                  <span className={classes.line}>
                    <NameLink to={pathTo('app', { owners: 'orgs', owner: org.name, app: app.name })}>
                      {app.display_name}
                    </NameLink>
                  </span>
                  <Glances app={app} />
                </li>
              ))}
            </ul>
          ) : (
            <div className={classes.row}>No app is open to you here.</div>
          )
        }
      </Loaded>
    </Card>
  );
}

function OrgSetUp() {
  const { org, params, may } = useOrgHere();
  const apps = useLatestApps(org.name).data;
  const members = useMemberCount(org.name).data;
  const teams = useTeams(org.name, true).data;
  return (
    <SetUpCard
      steps={[
        ...(may(apps_createForOrg)
          ? [
              {
                text: 'Create the first app',
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
          action: 'Invite',
        },
        {
          text: 'Create a team, which shares a role on apps',
          isDone: teams && teams.length > 0,
          to: pathTo('orgTeams', params),
          action: 'Create',
        },
      ]}
    />
  );
}

function OrgActivity() {
  const { org, params } = useOrgHere();
  return <ActivityCard scope={{ kind: 'org', name: org.name }} all={pathTo('orgAudit', params)} />;
}

/** What an organization's overview shows, from the top down: a domain adds its own cards here. */
export const orgCards: OverviewCard[] = [
  { needs: organizations_get, Card: OrgAttention },
  { needs: organizations_update, Card: OrgSetUp, isAside: true },
  { needs: users_listForOrg, Card: OrgFigures },
  { needs: apps_listGlances, Card: LatestApps },
  { needs: orgAudit_list, Card: OrgActivity },
];
