import { List, Text } from '@mantine/core';
import { type AuditEvent, useAuditEvents } from '../../api/administration/audit.ts';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { Section } from '../../components/layout/page.tsx';
import { Time } from '../../components/text/time.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { formatActor } from '../audit/event-details.tsx';

const toText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Describes an audit event of the release. */
function doneTo({ action, before, after }: AuditEvent): string {
  switch (action) {
    case 'release.create':
      return 'uploaded the release';
    case 'release.distribute':
      return `distributed the release to ${toText(after?.group) || toText(after?.tester) || toText(after?.store) || 'a destination'}`;
    case 'release.withdraw':
      return `removed the release from a ${before?.tester ? 'tester' : before?.store ? 'store' : 'group'}`;
    default:
      if (before?.enabled !== after?.enabled) return after?.enabled ? 'enabled the release' : 'disabled the release';
      return 'changed the release notes';
  }
}

export function ReleaseHistory({ release }: { release: number }) {
  const { appRef } = useCurrentApp();
  const events = useAuditEvents({ kind: 'app', appRef }, { action: 'release', search: `#${release}` });
  return (
    <Section title="History">
      <QueryBoundary query={events}>
        {(all) => (
          <List size="sm" listStyleType="none" spacing={4}>
            {all
              .filter(({ subject }) => subject.id === String(release))
              .map((event) => (
                <List.Item key={event.id}>
                  <strong>{formatActor(event.actor)}</strong> {doneTo(event)},{' '}
                  <Text span size="sm" c="dimmed">
                    <Time at={event.at} />
                  </Text>
                </List.Item>
              ))}
          </List>
        )}
      </QueryBoundary>
    </Section>
  );
}
