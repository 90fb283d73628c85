import { adminAudit_list, adminServer_get, adminUsers_list, mayCall } from '@mooring/contract';
import { type Server, useServer } from '../../api/administration/administration.ts';
import { useUserCount } from '../../api/organizations/users.ts';
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

const can: PermissionCheck = (spec, body) => mayCall(spec, 'administrator', 'all', body);
const jobs = (state: string): string => withQuery(paths.adminJobs, { state });

function jobAttention({ jobs: { dead } }: Server): Attention[] {
  if (dead === 0) return [];
  const text = `${formatCount(dead, 'job')} failed`;
  return [{ text, to: jobs('dead'), isUrgent: true }];
}

const ServerAttention = () => <AttentionCard results={[collectAttention(useServer(), jobAttention)]} />;

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
