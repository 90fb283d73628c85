import { Copyable } from '../../parts/copyable.tsx';
import { useOrgHere } from '../../parts/may.ts';
import { Page } from '../../parts/page.tsx';
import { inWords } from '../../parts/role-words.ts';
import { Time } from '../../parts/time.tsx';
import { AboutCard } from '../overview/about.tsx';
import { Overview } from '../overview/card.tsx';
import { orgCards } from './overview-cards.tsx';

export default function OrgOverviewPage() {
  const { org, role, may } = useOrgHere();
  return (
    <Page title="Overview">
      <Overview
        cards={orgCards}
        may={may}
        about={
          <AboutCard
            items={[
              ['Your role', inWords(role)],
              ['Name in addresses', <Copyable key="name" value={org.name} label="the name" />],
              ...(org.created_at
                ? [['Created', <Time key="created" at={org.created_at} />] as [string, React.ReactNode]]
                : []),
            ]}
          />
        }
      />
    </Page>
  );
}
