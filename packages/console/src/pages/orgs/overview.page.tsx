import { Page } from '../../components/layout/page.tsx';
import { Copyable } from '../../components/text/copyable.tsx';
import { formatRole } from '../../components/text/role-labels.ts';
import { Time } from '../../components/text/time.tsx';
import { useCurrentOrg } from '../../context/permissions.ts';
import { AboutCard } from '../overview/about-card.tsx';
import { Overview } from '../overview/card.tsx';
import { orgCards } from './overview-cards.tsx';

export default function OrgOverviewPage() {
  const { org, role, can } = useCurrentOrg();
  return (
    <Page title="Overview">
      <Overview
        cards={orgCards}
        can={can}
        about={
          <AboutCard
            items={[
              ['Your role', formatRole(role)],
              ['URL name', <Copyable key="name" value={org.name} label="URL name" />],
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
