import { Code, List } from '@mantine/core';
import { type ReleaseDetails, useProfile } from '../../api/releases.ts';
import { DescriptionList } from '../../parts/description-list.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Part } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { ReleaseDevices } from './release-devices.tsx';

const profileWords = { adhoc: 'Ad hoc', enterprise: 'Enterprise', other: 'Store' };

export function ProvisioningProfile({ release }: { release: ReleaseDetails }) {
  const { appRef } = useAppHere();
  const reading = useProfile(appRef, release.id, true);
  return (
    <Part title="Provisioning profile" lead="Which devices may install it.">
      <Loaded reading={reading}>
        {({ provisioning_profile_name, provisioning_profile_type, team_identifier, udids = [] }) => (
          <>
            <DescriptionList
              items={[
                ['Name', provisioning_profile_name ?? '—'],
                ['Type', profileWords[provisioning_profile_type]],
                ['Team', team_identifier ?? '—'],
                [
                  'Expires',
                  release.provisioning_profile_expiry_date ? (
                    <Time key="time" at={release.provisioning_profile_expiry_date} />
                  ) : (
                    '—'
                  ),
                ],
                ['Devices', provisioning_profile_type === 'enterprise' ? 'All of the company' : udids.length],
              ]}
            />
            {udids.length > 0 && (
              <details>
                <summary>Device ids</summary>
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
      </Loaded>
    </Part>
  );
}
