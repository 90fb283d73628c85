import { Text } from '@mantine/core';
import { adminAudit_list, adminServer_get, adminUsers_list, mayCall } from '@mooring/contract';
import { type ServerInfo, useServerInfo } from '../../api/account/account.ts';
import { type Server, useServer } from '../../api/administration/administration.ts';
import { useAppPages } from '../../api/apps.ts';
import { useOrgs } from '../../api/organizations/orgs.ts';
import { useUserCount } from '../../api/organizations/users.ts';
import { isReachable } from '../../components/images/reachable.ts';
import { Page } from '../../components/layout/page.tsx';
import { formatCount } from '../../components/text/format-count.ts';
import { Time } from '../../components/text/time.tsx';
import type { PermissionCheck } from '../../context/permissions.ts';
import { paths, withQuery } from '../../paths.ts';
import { AboutCard } from '../overview/about-card.tsx';
import { ActivityCard } from '../overview/activity-card.tsx';
import { type Attention, AttentionCard } from '../overview/attention-card.tsx';
import { Card, Overview, type OverviewCard } from '../overview/card.tsx';
import { Figures } from '../overview/figures.tsx';
import { collectAttention } from '../overview/reasons.ts';
import { SetUpCard } from '../overview/setup-card.tsx';

const can: PermissionCheck = (spec, body) => mayCall(spec, 'administrator', 'all', body);
const jobs = (state: string): string => withQuery(paths.adminJobs, { state });

function jobAttention({ jobs: { dead } }: Server): Attention[] {
  if (dead === 0) return [];
  const text = `${formatCount(dead, 'job')} failed`;
  return [{ text, to: jobs('dead'), isUrgent: true }];
}

const setting = (name: string): string => withQuery(paths.adminServer, { q: name });

/** Without a mail server, invitations and password resets wait in the outbox. */
const mailAttention = ({ sends_mail }: Pick<ServerInfo, 'sends_mail'>): Attention[] =>
  sends_mail
    ? []
    : [
        {
          text: "Email isn't configured: invitation links stay in the outbox",
          to: paths.adminMails,
          action: 'Open outbox',
        },
      ];

const addressAttention = ({ public_url }: Server): Attention[] =>
  isReachable(public_url)
    ? []
    : [
        {
          text: `Phones can't reach ${new URL(public_url).hostname}`,
          to: setting('MOORING_PUBLIC_URL'),
          action: 'View setting',
        },
      ];

function ServerAttention() {
  const server = useServer();
  return (
    <AttentionCard
      results={[
        collectAttention(server, (data) => [...jobAttention(data), ...addressAttention(data)]),
        collectAttention(useServerInfo(), mailAttention),
      ]}
    />
  );
}

/** First steps of an administrator, until all are done. */
function ServerSetUp() {
  const server = useServer();
  const info = useServerInfo();
  const orgs = useOrgs();
  const apps = useAppPages({});
  const users = useUserCount();
  return (
    <SetUpCard
      isThorough
      steps={[
        {
          text: 'Use an address that phones can reach',
          isDone: server.data && isReachable(server.data.public_url),
          to: setting('MOORING_PUBLIC_URL'),
          action: 'View setting',
          hint: <Hint>Links, QR codes and SDKs use MOORING_PUBLIC_URL.</Hint>,
        },
        {
          text: 'Send emails',
          isDone: info.data?.sends_mail,
          to: setting('MOORING_SMTP_URL'),
          action: 'View setting',
          hint: <Hint>For invitations, password resets and notifications: MOORING_SMTP_URL.</Hint>,
        },
        {
          text: 'Create an organization',
          isDone: orgs.data && orgs.data.length > 0,
          to: paths.newOrg,
          action: 'New organization',
        },
        { text: 'Create an app', isDone: apps.data && apps.data.length > 0, to: paths.newApp, action: 'New app' },
        {
          text: 'Add people',
          // Uncounted users are a text.
          isDone: users.data === undefined ? undefined : typeof users.data === 'string' || users.data > 1,
          to: paths.adminUsers,
          action: 'Add people',
        },
      ]}
    />
  );
}

const Hint = ({ children }: { children: string }) => (
  <Text size="xs" c="dimmed">
    {children}
  </Text>
);

function ServerFigures() {
  const server = useServer();
  const users = useUserCount();
  return (
    <Card title="At a glance">
      <Figures
        figures={[
          { label: 'Users', value: users.data, to: paths.adminUsers },
          { label: 'Queued jobs', value: server.data?.jobs.waiting, to: jobs('waiting') },
          { label: 'Running jobs', value: server.data?.jobs.running, to: jobs('running') },
          { label: 'Failed jobs', value: server.data?.jobs.dead, to: jobs('dead') },
        ]}
      />
    </Card>
  );
}

const ServerActivity = () => <ActivityCard scope={{ kind: 'server' }} all={paths.adminAudit} />;

const cards: OverviewCard[] = [
  { needs: adminServer_get, Card: ServerAttention },
  { needs: adminServer_get, Card: ServerSetUp },
  { needs: adminUsers_list, Card: ServerFigures },
  { needs: adminAudit_list, Card: ServerActivity },
];

const databases = { sqlite: 'SQLite', postgres: 'PostgreSQL' };

export default function AdministrationPage() {
  const { data } = useServer();
  return (
    <Page title="Overview">
      <Overview
        cards={cards}
        can={can}
        about={
          <AboutCard
            items={[
              ['Version', data?.version ?? '…'],
              ['Database', data ? databases[data.database] : '…'],
              ['Running since', data ? <Time key="started" at={data.started_at} /> : '…'],
            ]}
          />
        }
      />
    </Page>
  );
}
