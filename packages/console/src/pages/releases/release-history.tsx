import { List, Text } from '@mantine/core';
import { type AuditEvent, useAuditEvents } from '../../api/audit.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Part } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { actorInWords } from '../audit/event-details.tsx';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What was done to the release, in a few words. */
function doneTo({ action, before, after }: AuditEvent): string {
  switch (action) {
    case 'release.create':
      return 'uploaded it';
    case 'release.distribute':
      return `gave it to ${textOf(after?.group) || textOf(after?.tester) || textOf(after?.store) || 'somebody'}`;
    case 'release.withdraw':
      return `took it back from a ${before?.tester ? 'tester' : before?.store ? 'store' : 'group'}`;
    default:
      if (before?.enabled !== after?.enabled) return after?.enabled ? 'enabled it' : 'disabled it';
      return 'changed its notes';
  }
}

export function ReleaseHistory({ release }: { release: number }) {
  const { appRef } = useAppHere();
  const events = useAuditEvents({ kind: 'app', appRef }, { action: 'release', search: `#${release}` });
  return (
    <Part title="History">
      <Loaded reading={events}>
        {(all) => (
          <List size="sm" listStyleType="none" spacing={4}>
            {all
              .filter(({ subject }) => subject.id === String(release))
              .map((event) => (
                <List.Item key={event.id}>
                  <strong>{actorInWords(event.actor)}</strong> {doneTo(event)},{' '}
                  <Text span size="sm" c="dimmed">
                    <Time at={event.at} />
                  </Text>
                </List.Item>
              ))}
          </List>
        )}
      </Loaded>
    </Part>
  );
}
