import { Paper, Text } from '@mantine/core';
import { orgReleaseRetention_set } from '@mooring/contract';
import { useOrgRetention, usePreviewOrgRetention, useSetOrgRetention } from '../../api/releases/release-retention.ts';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { Section } from '../../components/layout/page.tsx';
import { useCurrentOrg } from '../../context/permissions.ts';
import { formatRule, RuleForm } from '../releases/retention-rules.tsx';

/** Default retention rule for the organization's apps. */
export function OrgRetentionRules() {
  const { org, can } = useCurrentOrg();
  const query = useOrgRetention(org.name);
  const preview = usePreviewOrgRetention(org.name);
  const setting = useSetOrgRetention(org.name);
  return (
    <Section
      title="Releases"
      description="Old releases and their files are deleted hourly, for apps without their own rule."
    >
      <Paper withBorder p="lg" maw={720}>
        <QueryBoundary query={query}>
          {(rule) => (
            <>
              <Text size="sm">{formatRule({ ...rule, source: 'app' })}</Text>
              {can(orgReleaseRetention_set) && (
                <RuleForm
                  rule={rule}
                  preview={preview}
                  setting={setting}
                  listDeleted={({ apps }) => apps.map(({ app_name, ...data }) => ({ ...data, name: app_name }))}
                />
              )}
            </>
          )}
        </QueryBoundary>
      </Paper>
    </Section>
  );
}
