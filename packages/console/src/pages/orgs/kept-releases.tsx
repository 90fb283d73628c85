import { Paper, Text } from '@mantine/core';
import { orgReleaseRetention_set } from '@mooring/contract';
import { useOrgRetention, usePreviewOrgRetention, useSetOrgRetention } from '../../api/release-retention.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { useOrgHere } from '../../parts/may.ts';
import { Part } from '../../parts/page.tsx';
import { inWords, RuleForm } from '../releases/kept-releases.tsx';

/** Which releases of the organization's apps stay, where an app does not say otherwise. */
export function KeptReleasesOfOrg() {
  const { org, may } = useOrgHere();
  const reading = useOrgRetention(org.name);
  const preview = usePreviewOrgRetention(org.name);
  const setting = useSetOrgRetention(org.name);
  return (
    <Part
      title="Releases"
      lead="Of apps without a rule of their own, old ones are deleted every hour, with their files."
    >
      <Paper withBorder p="lg" maw={720}>
        <Loaded reading={reading}>
          {(rule) => (
            <>
              <Text size="sm">{inWords({ ...rule, source: 'app' })}</Text>
              {may(orgReleaseRetention_set) && (
                <RuleForm
                  rule={rule}
                  preview={preview}
                  setting={setting}
                  gone={({ apps }) => apps.map(({ app_name, ...data }) => ({ ...data, name: app_name }))}
                />
              )}
            </>
          )}
        </Loaded>
      </Paper>
    </Part>
  );
}
