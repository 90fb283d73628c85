import { Code, List } from '@mantine/core';
import { type ReleaseDetails, useProfile } from '../../../api/releases/releases.ts';
import { QueryBoundary } from '../../../components/feedback/query-boundary.tsx';
import { Section } from '../../../components/layout/page.tsx';
import { DescriptionList } from '../../../components/text/description-list.tsx';
import { Time } from '../../../components/text/time.tsx';
import { useCurrentApp } from '../../../context/permissions.ts';
import { ReleaseDevices } from './release-devices.tsx';

const profileLabels = { adhoc: 'Ad hoc', enterprise: 'Enterprise', other: 'Store' };

export function ProvisioningProfile({ release }: { release: ReleaseDetails }) {
  const { appRef } = useCurrentApp();
  const query = useProfile(appRef, release.id, true);
  return (
    <Section title="Provisioning profile" description="Devices that can install this release.">
      <QueryBoundary query={query}>
        {({ provisioning_profile_name, provisioning_profile_type, team_identifier, udids = [] }) => (
          <>
            <DescriptionList
              items={[
                ['Name', provisioning_profile_name ?? '—'],
                ['Type', profileLabels[provisioning_profile_type]],
                ['Team', team_identifier ?? '—'],
                [
                  'Expires',
                  release.provisioning_profile_expiry_date ? (
                    <Time key="time" at={release.provisioning_profile_expiry_date} />
                  ) : (
                    '—'
                  ),
                ],
                ['Devices', provisioning_profile_type === 'enterprise' ? 'All devices of the company' : udids.length],
              ]}
            />
            {udids.length > 0 && (
              <details>
                <summary>Device IDs</summary>
                <List size="sm" mt="xs">
                  {udids.map((udid) => (
                    <List.Item key={udid}>
                      <Code>{udid}</Code>
                    </List.Item>
                  ))}
                </List>
              </details>
            )}
            {provisioning_profile_type === 'adhoc' && <ReleaseDevices release={release} />}
          </>
        )}
      </QueryBoundary>
    </Section>
  );
}
