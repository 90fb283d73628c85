import { adminAudit_list, adminServer_get, adminUsers_list, mayCall } from '@mooring/contract';
import { type Server, useServer } from '../../api/administration.ts';
import { useUserCount } from '../../api/users.ts';
import type { May } from '../../parts/may.ts';
import { Page } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { paths, withQuery } from '../../paths.ts';
import { AboutCard } from '../overview/about.tsx';
import { ActivityCard } from '../overview/activity.tsx';
import { type Attention, AttentionCard } from '../overview/attention.tsx';
import { Card, Overview, type OverviewCard } from '../overview/card.tsx';
import { Figures } from '../overview/figures.tsx';
import { foundIn } from '../overview/reasons.ts';

const may: May = (spec, body) => mayCall(spec, 'administrator', 'all', body);
const jobs = (state: string): string => withQuery(paths.adminJobs, { state });

function jobAttention({ jobs: { dead } }: Server): Attention[] {
  if (dead === 0) return [];
  const text = dead === 1 ? 'A job failed for good' : `${dead.toLocaleString()} jobs failed for good`;
  return [{ text, to: jobs('dead'), isUrgent: true }];
}

const ServerAttention = () => <AttentionCard found={[foundIn(useServer(), jobAttention)]} />;

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
        may={may}
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
