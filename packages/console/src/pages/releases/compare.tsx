import { Badge, Code, List, Select, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { type ReleaseDetails, useRelease, useReleases } from '../../api/releases/releases.ts';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { Section } from '../../components/layout/page.tsx';
import { Markdown } from '../../components/text/markdown.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { inPercent } from '../crashes/issue-labels.tsx';
import { type Compared, changedPermissions, compareFields, formatGrowth } from './comparison-rows.ts';
import { useCrashFree } from './crash-free.ts';
import { formatVersion } from './release-labels.tsx';

/** Compares two releases; the URL contains the other one, so the comparison can be shared. */
export function Compare({ release }: { release: ReleaseDetails }) {
  const { appRef } = useCurrentApp();
  const [query, setQuery] = useSearchParams();
  const others = (useReleases(appRef).data ?? []).filter(({ id }) => id !== release.id);
  const chosen = others.find(({ id }) => String(id) === query.get('with'));
  if (others.length === 0) return null;
  const choose = (id: string | null) =>
    setQuery(
      (before) => {
        const after = new URLSearchParams(before);
        if (id === null) after.delete('with');
        else after.set('with', id);
        return after;
      },
      { replace: true },
    );
  return (
    <Section title="Compare releases">
      <Select
        label="Compare with"
        placeholder="Another release"
        data={others.map((one) => ({ value: String(one.id), label: `${formatVersion(one)}, release ${one.id}` }))}
        value={chosen ? String(chosen.id) : null}
        onChange={choose}
        searchable
        clearable
        maw={360}
      />
      {chosen && <WithOther key={chosen.id} release={release} other={String(chosen.id)} />}
    </Section>
  );
}

function WithOther({ release, other }: { release: ReleaseDetails; other: string }) {
  const { appRef } = useCurrentApp();
  const query = useRelease(appRef, other);
  const crashFree = useCrashFree();
  const withCrashFree = (one: ReleaseDetails): Compared => {
    const share = crashFree(one);
    return { ...one, crashFree: share === undefined ? undefined : inPercent(share) };
  };
  return (
    <QueryBoundary query={query}>
      {(data) => <Both one={withCrashFree(data)} other={withCrashFree(release)} />}
    </QueryBoundary>
  );
}

const formatRelease = (release: Compared): string => `${formatVersion(release)}, release ${release.id}`;

/** The page's release is on the right: changes compared to the other one. */
function Both({ one, other }: { one: Compared; other: Compared }) {
  const { added, removed } = changedPermissions(one.permissions ?? [], other.permissions ?? []);
  return (
    <Stack gap="md">
      <Text size="sm" role="status">
        {formatVersion(other)} is {formatGrowth(one.size, other.size)}
        {one.size === other.size ? ' as ' : ' than '}
        {formatVersion(one)}.
      </Text>
      <Table.ScrollContainer minWidth={520}>
        <Table aria-label="Comparison" withTableBorder layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={190}>Property</Table.Th>
              <Table.Th>{formatRelease(one)}</Table.Th>
              <Table.Th>{formatRelease(other)}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {compareFields(one, other).map((row) => (
              <Table.Tr key={row.label}>
                <Table.Th scope="row" fw={400}>
                  {row.label}{' '}
                  {row.isDifferent && (
                    <Badge size="xs" color="yellow">
                      differs
                    </Badge>
                  )}
                </Table.Th>
                {[row.one, row.other].map((value, at) => (
                  <Table.Td key={at === 0 ? 'one' : 'other'} style={{ overflowWrap: 'anywhere' }}>
                    {value || '–'}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {[
        { label: 'Added permissions', permissions: added },
        { label: 'Removed permissions', permissions: removed },
      ].map(
        ({ label, permissions }) =>
          permissions.length > 0 && (
            <Stack gap={4} key={label}>
              <Text size="sm" fw={600}>
                {label}
              </Text>
              <List size="sm">
                {permissions.map((permission) => (
                  <List.Item key={permission}>
                    <Code>{permission}</Code>
                  </List.Item>
                ))}
              </List>
            </Stack>
          ),
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {[one, other].map((release) => (
          <Stack gap={4} key={release.id} component="section" aria-label={`Release notes of ${formatRelease(release)}`}>
            <Text size="sm" fw={600}>
              Release notes of {formatVersion(release)}
            </Text>
            {release.release_notes?.trim() ? (
              <Markdown text={release.release_notes} />
            ) : (
              <Text size="sm" c="dimmed">
                None.
              </Text>
            )}
          </Stack>
        ))}
      </SimpleGrid>
    </Stack>
  );
}
