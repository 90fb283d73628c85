import { Badge, Code, List, Select, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { type ReleaseDetails, useRelease, useReleases } from '../../api/releases.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Markdown } from '../../parts/markdown.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Part } from '../../parts/page.tsx';
import { inPercent } from '../crashes/issue-words.tsx';
import { type Compared, changedPermissions, compareFields, growthInWords } from './compared.ts';
import { useCrashFree } from './crash-free.ts';
import { versionInWords } from './release-words.tsx';

/** What a release has that another has not; which other is part of the address, so that it can be sent to somebody. */
export function Compare({ release }: { release: ReleaseDetails }) {
  const { appRef } = useAppHere();
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
    <Part title="Compare">
      <Select
        label="With"
        placeholder="Another release"
        data={others.map((one) => ({ value: String(one.id), label: `${versionInWords(one)}, release ${one.id}` }))}
        value={chosen ? String(chosen.id) : null}
        onChange={choose}
        searchable
        clearable
        maw={360}
      />
      {chosen && <WithOther key={chosen.id} release={release} other={String(chosen.id)} />}
    </Part>
  );
}

function WithOther({ release, other }: { release: ReleaseDetails; other: string }) {
  const { appRef } = useAppHere();
  const reading = useRelease(appRef, other);
  const crashFree = useCrashFree();
  const known = (one: ReleaseDetails): Compared => {
    const share = crashFree(one);
    return { ...one, crashFree: share === undefined ? undefined : inPercent(share) };
  };
  return <Loaded reading={reading}>{(found) => <Both one={known(found)} other={known(release)} />}</Loaded>;
}

const nameOf = (release: Compared): string => `${versionInWords(release)}, release ${release.id}`;

/** The release of the page is on the right: what it has against the one before it. */
function Both({ one, other }: { one: Compared; other: Compared }) {
  const { added, removed } = changedPermissions(one.permissions ?? [], other.permissions ?? []);
  return (
    <Stack gap="md">
      <Text size="sm" role="status">
        {versionInWords(other)} is {growthInWords(one.size, other.size)}
        {one.size === other.size ? ' as ' : ' than '}
        {versionInWords(one)}.
      </Text>
      <Table.ScrollContainer minWidth={520}>
        <Table aria-label="Comparison" withTableBorder layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={190}>Fact</Table.Th>
              <Table.Th>{nameOf(one)}</Table.Th>
              <Table.Th>{nameOf(other)}</Table.Th>
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
        { words: 'It asks for more', permissions: added },
        { words: 'It no longer asks for', permissions: removed },
      ].map(
        ({ words, permissions }) =>
          permissions.length > 0 && (
            <Stack gap={4} key={words}>
              <Text size="sm" fw={600}>
                {words}
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
          <Stack gap={4} key={release.id} component="section" aria-label={`Notes of ${nameOf(release)}`}>
            <Text size="sm" fw={600}>
              Notes of {versionInWords(release)}
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
