import { ActionIcon, Alert, Button, Group, List, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { type GroupingRule, useChangeRules, useRules, useRulesPreview } from '../../api/telemetry/crashes.ts';
import { formatNumber } from '../../components/charts/numbers.ts';
import { DialogButton } from '../../components/dialogs/dialog-button.tsx';
import { DialogButtons } from '../../components/dialogs/dialog-buttons.tsx';
import { useDialogGuard } from '../../components/dialogs/dialog-guard.ts';
import { Failure } from '../../components/feedback/failure.tsx';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { formatCount } from '../../components/text/format-count.ts';
import { useCurrentApp } from '../../context/permissions.ts';

export const RulesButton = () => (
  <DialogButton label="Edit grouping rules" width="xl" variant="default">
    {(close) => <Rules onClose={close} />}
  </DialogButton>
);

function Rules({ onClose }: { onClose: () => void }) {
  const { appRef } = useCurrentApp();
  return (
    <QueryBoundary query={useRules(appRef)}>
      {({ rules }) => <RulesForm rules={rules} onClose={onClose} />}
    </QueryBoundary>
  );
}

const kinds: Record<GroupingRule['kind'], string> = {
  skip: 'Ignore frames',
  ours: 'App code',
  theirs: 'Library code',
  message: 'Group by message',
};
const kindChoices = Object.entries(kinds).map(([value, label]) => ({ value, label }));

interface Row extends GroupingRule {
  row: number;
}

const MAX_RULES = 50;

/** Rules must be previewed on recent reports before they are saved. */
function RulesForm({ rules, onClose }: { rules: readonly GroupingRule[]; onClose: () => void }) {
  const { appRef } = useCurrentApp();
  const [rows, setRows] = useState<Row[]>(() => rules.map((rule, row) => ({ ...rule, row })));
  const [isTouched, setTouched] = useState(false);
  const preview = useRulesPreview(appRef);
  const change = useChangeRules(appRef);
  useDialogGuard(isTouched ? 'Your changes to the rules will be lost.' : undefined);
  const edit = (next: Row[]) => {
    setRows(next);
    setTouched(true);
    preview.reset();
  };
  const set = (row: number, changes: Partial<GroupingRule>) =>
    edit(rows.map((one) => (one.row === row ? { ...one, ...changes } : one)));
  const trimmedRules = rows.map(({ kind, pattern }) => ({ kind, pattern: pattern.trim() }));
  const isComplete = trimmedRules.every(({ pattern }) => pattern !== '');
  return (
    <Stack gap="md">
      <Text size="sm">
        A pattern matches the full class and method, the file or the binary. For “Group by message”, it matches the
        exception type. * matches any text.
      </Text>
      {rows.map(({ row, kind, pattern }, at) => (
        <Group key={row} gap="xs" wrap="nowrap">
          <Select
            aria-label={`Action of rule ${at + 1}`}
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
        disabled={rows.length >= MAX_RULES}
        onClick={() =>
          edit([...rows, { row: Math.max(-1, ...rows.map(({ row }) => row)) + 1, kind: 'skip', pattern: '' }])
        }
      >
        Add rule
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
          onClick={() => preview.mutate(trimmedRules)}
        >
          Preview rules
        </Button>
        <Button
          disabled={!isComplete || !preview.data}
          loading={change.isPending}
          onClick={() =>
            change.mutate(trimmedRules, {
              onSuccess: () => {
                setTouched(false);
                onClose();
              },
            })
          }
        >
          Save rules
        </Button>
      </DialogButtons>
    </Stack>
  );
}

type PreviewData = NonNullable<ReturnType<typeof useRulesPreview>['data']>;

const Preview = ({ reports, before, after, merged, split }: PreviewData) => (
  <Alert
    color="blue"
    title={`For the last ${formatCount(reports, 'report')}: ${formatCount(before, 'issue')} before, ${formatNumber(after)} after`}
  >
    {merged.length + split.length === 0 && <Text size="sm">No report moves to another issue.</Text>}
    <Changes title="Issues to merge" changes={merged} />
    <Changes title="Issues to split" changes={split} />
    <Text size="sm" mt="xs">
      Saving regroups all reports in the background.
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
            {issues.map(({ title }) => title).join(' + ')} ({formatCount(count, 'report')})
          </List.Item>
        ))}
      </List>
    </>
  );
