import type { ReactNode } from 'react';
import type { App } from '../../api/apps.ts';
import { Page } from '../../components/layout/page.tsx';
import { Copyable } from '../../components/text/copyable.tsx';
import { TextLink } from '../../components/text/links.tsx';
import { formatRole } from '../../components/text/role-labels.ts';
import { Time } from '../../components/text/time.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';
import { AboutCard } from '../overview/about-card.tsx';
import { Overview } from '../overview/card.tsx';
import { appCards } from './overview-cards.tsx';

export default function OverviewPage() {
  const { app, can } = useCurrentApp();
  return (
    <Page title="Overview" description={app.description}>
      <Overview cards={appCards} can={can} about={<About />} />
    </Page>
  );
}

const Owner = ({ owner: { type, name, display_name } }: { owner: App['owner'] }) =>
  type === 'org' ? (
    <TextLink to={pathTo('org', { org: name })} size="sm">
      {display_name}
    </TextLink>
  ) : (
    display_name
  );

function About() {
  const { app, permission } = useCurrentApp();
  return (
    <AboutCard
      items={[
        ['Your role', formatRole(permission)],
        ['Owner', <Owner key="owner" owner={app.owner} />],
        ['API name', <Copyable key="address" value={`${app.owner.name}/${app.name}`} label="API name" />],
        ...(app.app_secret
          ? [
              [
                'App secret (for the SDK; not confidential)',
                <Copyable key="secret" value={app.app_secret} label="app secret" />,
              ] as [string, ReactNode],
            ]
          : []),
        ['Operating system', app.os],
        ['Platform', app.platform],
        ...(app.release_type ? [['Release type', app.release_type] as [string, string]] : []),
        ['Created', app.created_at ? <Time key="created" at={app.created_at} /> : '—'],
        ['Last updated', app.updated_at ? <Time key="updated" at={app.updated_at} /> : '—'],
      ]}
    />
  );
}
