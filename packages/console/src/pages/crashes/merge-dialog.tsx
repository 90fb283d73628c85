import { Button, Checkbox, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { type Issue, type ListedIssue, useIssues, useMerge } from '../../api/crashes.ts';
import { inFull } from '../../parts/charts/numbers.ts';
import { DialogButton } from '../../parts/dialog-button.tsx';
import { DialogButtons } from '../../parts/dialog-buttons.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useAppHere } from '../../parts/may.ts';
import { placeOf } from './issue-words.tsx';

const MOST_SHOWN = 20;
const PAUSE = 250;

export const MergeButton = ({ issue }: { issue: Issue }) => (
  <DialogButton label="Merge" title="Merge other issues into this one" variant="default">
    {(close) => <Merge issue={issue} onClose={close} />}
  </DialogButton>
);

const titleOf = (one: ListedIssue): string =>
  [one.exception_type || 'Unknown', placeOf(one)].filter(Boolean).join(' in ');

function Merge({ issue, onClose }: { issue: Issue; onClose: () => void }) {
  const { appRef } = useAppHere();
  const [words, setWords] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [search] = useDebouncedValue(words.trim(), PAUSE);
  const issues = useIssues(appRef, { kind: issue.kind, limit: MOST_SHOWN + 1, ...(search ? { search } : {}) });
  const merging = useMerge(appRef, issue.id);
  const choose = (id: string, isChosen: boolean) =>
    setChosen((before) => new Set(isChosen ? [...before, id] : [...before].filter((one) => one !== id)));
  return (
    <Stack gap="md">
      <Text size="sm">
        Their reports, and those to come, belong to this issue then. It can be split into its parts again.
      </Text>
      <TextInput
        label="Find issues"
        placeholder="Type, message or place"
        value={words}
        onChange={({ currentTarget }) => setWords(currentTarget.value)}
        data-autofocus
      />
      <Loaded reading={issues}>
        {(found) => {
          const others = found.filter(({ id }) => id !== issue.id).slice(0, MOST_SHOWN);
          return others.length === 0 ? (
            <Text size="sm" c="dimmed">
              There are no other issues like that.
            </Text>
          ) : (
            <Stack gap="xs">
              {others.map((one) => (
                <Checkbox
                  key={one.id}
                  label={titleOf(one)}
                  description={`${inFull(one.count)} reports. ${one.message}`}
                  checked={chosen.has(one.id)}
                  onChange={({ currentTarget }) => choose(one.id, currentTarget.checked)}
                />
              ))}
            </Stack>
          );
        }}
      </Loaded>
      {merging.error && <Failure error={merging.error} title="They could not be merged" />}
      <DialogButtons>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          disabled={chosen.size === 0}
          loading={merging.isPending}
          onClick={() => merging.mutate([...chosen], { onSuccess: onClose })}
        >
          {chosen.size > 1 ? `Merge ${chosen.size} issues` : 'Merge'}
        </Button>
      </DialogButtons>
    </Stack>
  );
}
