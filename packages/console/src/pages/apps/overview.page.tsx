import type { ReactNode } from 'react';
import type { App } from '../../api/apps.ts';
import { Copyable } from '../../parts/copyable.tsx';
import { TextLink } from '../../parts/links.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Page } from '../../parts/page.tsx';
import { inWords } from '../../parts/role-words.ts';
import { Time } from '../../parts/time.tsx';
import { pathTo } from '../../paths.ts';
import { AboutCard } from '../overview/about.tsx';
import { Overview } from '../overview/card.tsx';
import { appCards } from './overview-cards.tsx';

export default function OverviewPage() {
  const { app, may } = useAppHere();
  return (
    <Page title="Overview" lead={app.description}>
      <Overview cards={appCards} may={may} about={<About />} />
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
  const { app, permission } = useAppHere();
  return (
    <AboutCard
      items={[
        ['Your role', inWords(permission)],
        ['Owner', <Owner key="owner" owner={app.owner} />],
        ['Address in the API', <Copyable key="address" value={`${app.owner.name}/${app.name}`} label="the address" />],
        ...(app.app_secret
          ? [
              [
                'App secret: built into the app, gives no access here',
                <Copyable key="secret" value={app.app_secret} label="the app secret" />,
              ] as [string, ReactNode],
            ]
          : []),
        ['Operating system', app.os],
        ['Platform', app.platform],
        ...(app.release_type ? [['Release type', app.release_type] as [string, string]] : []),
        ['Created', app.created_at ? <Time key="created" at={app.created_at} /> : '—'],
        ['Last changed', app.updated_at ? <Time key="updated" at={app.updated_at} /> : '—'],
      ]}
    />
  );
}
