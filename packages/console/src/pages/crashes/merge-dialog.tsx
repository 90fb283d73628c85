import { Button, Checkbox, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { type Issue, type ListedIssue, useIssues, useMerge } from '../../api/telemetry/crashes.ts';
import { DialogButton } from '../../components/dialogs/dialog-button.tsx';
import { DialogButtons } from '../../components/dialogs/dialog-buttons.tsx';
import { Failure } from '../../components/feedback/failure.tsx';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { formatCount } from '../../components/text/format-count.ts';
import { useCurrentApp } from '../../context/permissions.ts';
import { formatLocation } from './issue-labels.tsx';

const VISIBLE_ISSUES = 20;
const PAUSE = 250;

export const MergeButton = ({ issue }: { issue: Issue }) => (
  <DialogButton label="Merge issues" title="Merge issues into this one" variant="default">
    {(close) => <Merge issue={issue} onClose={close} />}
  </DialogButton>
);

const formatIssue = (one: ListedIssue): string =>
  [one.exception_type || 'Unknown', formatLocation(one)].filter(Boolean).join(' in ');

function Merge({ issue, onClose }: { issue: Issue; onClose: () => void }) {
  const { appRef } = useCurrentApp();
  const [searchText, setSearchText] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [search] = useDebouncedValue(searchText.trim(), PAUSE);
  const issues = useIssues(appRef, { kind: issue.kind, limit: VISIBLE_ISSUES + 1, ...(search ? { search } : {}) });
  const merging = useMerge(appRef, issue.id);
  const choose = (id: string, isChosen: boolean) =>
    setChosen((before) => new Set(isChosen ? [...before, id] : [...before].filter((one) => one !== id)));
  return (
    <Stack gap="md">
      <Text size="sm">Moves their current and future reports into this issue. You can split it again.</Text>
      <TextInput
        label="Find issues"
        placeholder="Type, message or location"
        value={searchText}
        onChange={({ currentTarget }) => setSearchText(currentTarget.value)}
        data-autofocus
      />
      <QueryBoundary query={issues}>
        {(matches) => {
          const others = matches.filter(({ id }) => id !== issue.id).slice(0, VISIBLE_ISSUES);
          return others.length === 0 ? (
            <Text size="sm" c="dimmed">
              No matching issues
            </Text>
          ) : (
            <Stack gap="xs">
              {others.map((one) => (
                <Checkbox
                  key={one.id}
                  label={formatIssue(one)}
                  description={`${formatCount(one.count, 'report')}. ${one.message}`}
                  checked={chosen.has(one.id)}
                  onChange={({ currentTarget }) => choose(one.id, currentTarget.checked)}
                />
              ))}
            </Stack>
          );
        }}
      </QueryBoundary>
      {merging.error && <Failure error={merging.error} title="Couldn't merge the issues" />}
      <DialogButtons>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          disabled={chosen.size === 0}
          loading={merging.isPending}
          onClick={() => merging.mutate([...chosen], { onSuccess: onClose })}
        >
          {chosen.size > 1 ? `Merge ${chosen.size} issues` : 'Merge issue'}
        </Button>
      </DialogButtons>
    </Stack>
  );
}
