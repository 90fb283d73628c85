import { ActionIcon, Alert, Button, Group, List, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { type GroupingRule, useChangeRules, useRules, useRulesPreview } from '../../api/crashes.ts';
import { inFull } from '../../parts/charts/numbers.ts';
import { DialogButton } from '../../parts/dialog-button.tsx';
import { DialogButtons } from '../../parts/dialog-buttons.tsx';
import { useDialogGuard } from '../../parts/dialog-guard.ts';
import { Failure } from '../../parts/failure.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useAppHere } from '../../parts/may.ts';

export const RulesButton = () => (
  <DialogButton label="Grouping rules" width="xl" variant="default">
    {(close) => <Rules onClose={close} />}
  </DialogButton>
);

function Rules({ onClose }: { onClose: () => void }) {
  const { appRef } = useAppHere();
  return <Loaded reading={useRules(appRef)}>{({ rules }) => <RulesForm rules={rules} onClose={onClose} />}</Loaded>;
}

const kinds: Record<GroupingRule['kind'], string> = {
  skip: 'Frames do not count',
  ours: 'Code of the app',
  theirs: 'Code of others',
  message: 'The message counts',
};
const kindChoices = Object.entries(kinds).map(([value, label]) => ({ value, label }));

interface Row extends GroupingRule {
  row: number;
}

const MOST_RULES = 50;

/** Rules are tried on the last reports before they act. */
function RulesForm({ rules, onClose }: { rules: readonly GroupingRule[]; onClose: () => void }) {
  const { appRef } = useAppHere();
  const [rows, setRows] = useState<Row[]>(() => rules.map((rule, row) => ({ ...rule, row })));
  const [isTouched, setTouched] = useState(false);
  const preview = useRulesPreview(appRef);
  const change = useChangeRules(appRef);
  useDialogGuard(isTouched ? 'The rules stay as they were.' : undefined);
  const edit = (next: Row[]) => {
    setRows(next);
    setTouched(true);
    preview.reset();
  };
  const set = (row: number, part: Partial<GroupingRule>) =>
    edit(rows.map((one) => (one.row === row ? { ...one, ...part } : one)));
  const asked = rows.map(({ kind, pattern }) => ({ kind, pattern: pattern.trim() }));
  const isComplete = asked.every(({ pattern }) => pattern !== '');
  return (
    <Stack gap="md">
      <Text size="sm">
        A pattern stands for the whole class and method, the file or the binary; for a message, for the type of the
        exception. * is anything.
      </Text>
      {rows.map(({ row, kind, pattern }, at) => (
        <Group key={row} gap="xs" wrap="nowrap">
          <Select
            aria-label={`What rule ${at + 1} says`}
            data={kindChoices}
            value={kind}
            w={190}
            allowDeselect={false}
            onChange={(chosen) => chosen && set(row, { kind: chosen as GroupingRule['kind'] })}
          />
          <TextInput
            aria-label={`Pattern of rule ${at + 1}`}
            placeholder="org.example.shop.*"
            flex={1}
            maxLength={200}
            value={pattern}
            onChange={({ currentTarget }) => set(row, { pattern: currentTarget.value })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Remove rule ${at + 1}`}
            onClick={() => edit(rows.filter((one) => one.row !== row))}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      <Button
        variant="default"
        w="fit-content"
        leftSection={<IconPlus size={16} aria-hidden />}
        disabled={rows.length >= MOST_RULES}
        onClick={() =>
          edit([...rows, { row: Math.max(-1, ...rows.map(({ row }) => row)) + 1, kind: 'skip', pattern: '' }])
        }
      >
        Add a rule
      </Button>
      {preview.data && <Preview {...preview.data} />}
      {(preview.error ?? change.error) && <Failure error={preview.error ?? change.error} />}
      <DialogButtons>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          variant={preview.data ? 'default' : 'filled'}
          disabled={!isComplete}
          loading={preview.isPending}
          onClick={() => preview.mutate(asked)}
        >
          Preview
        </Button>
        <Button
          disabled={!isComplete || !preview.data}
          loading={change.isPending}
          onClick={() =>
            change.mutate(asked, {
              onSuccess: () => {
                setTouched(false);
                onClose();
              },
            })
          }
        >
          Save
        </Button>
      </DialogButtons>
    </Stack>
  );
}

type PreviewData = NonNullable<ReturnType<typeof useRulesPreview>['data']>;

const Preview = ({ reports, before, after, merged, split }: PreviewData) => (
  <Alert
    color="blue"
    title={`Of the last ${inFull(reports)} reports: ${inFull(before)} issues become ${inFull(after)}`}
  >
    {merged.length + split.length === 0 && <Text size="sm">No report changes its issue.</Text>}
    <Changes title="Would be one" changes={merged} />
    <Changes title="Would be several" changes={split} />
    <Text size="sm" mt="xs">
      When saved, all reports are grouped anew in the background.
    </Text>
  </Alert>
);

const Changes = ({ title, changes }: { title: string; changes: PreviewData['merged'] }) =>
  changes.length > 0 && (
    <>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <List size="sm">
        {changes.slice(0, 10).map(({ issues, count }) => (
          <List.Item key={issues.map(({ id }) => id).join()}>
            {issues.map(({ title }) => title).join(' + ')} ({inFull(count)} reports)
          </List.Item>
        ))}
      </List>
    </>
  );
