import { Button, Checkbox, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type Issue, useSplit } from '../../api/telemetry/crashes.ts';
import { DialogButton } from '../../components/dialogs/dialog-button.tsx';
import { DialogButtons } from '../../components/dialogs/dialog-buttons.tsx';
import { Failure } from '../../components/feedback/failure.tsx';
import { formatCount } from '../../components/text/format-count.ts';
import { useCurrentApp } from '../../context/permissions.ts';

export const SplitButton = ({ issue }: { issue: Issue }) => (
  <DialogButton label="Split issue" title="Split issue" variant="default">
    {(close) => <Split issue={issue} onClose={close} />}
  </DialogButton>
);

function Split({ issue, onClose }: { issue: Issue; onClose: () => void }) {
  const { appRef } = useCurrentApp();
  const [keys, setKeys] = useState<string[]>([]);
  const splitting = useSplit(appRef, issue.id);
  return (
    <Stack gap="md">
      <Text size="sm">
        Each selected part becomes a separate issue with its current and future reports. At least one part must stay.
      </Text>
      <Checkbox.Group value={keys} onChange={setKeys} label="Parts">
        <Stack gap="xs" mt="xs">
          {issue.parts.map(({ key, title, count, versions }) => (
            <Checkbox
              key={key}
              value={key}
              label={title || 'Unknown'}
              description={`${formatCount(count, 'report')}, ${versions.join(', ')}`}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      {splitting.error && <Failure error={splitting.error} title="Couldn't split the issue" />}
      <DialogButtons>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          disabled={keys.length === 0 || keys.length === issue.parts.length}
          loading={splitting.isPending}
          onClick={() => splitting.mutate(keys, { onSuccess: onClose })}
        >
          Split issue
        </Button>
      </DialogButtons>
    </Stack>
  );
}
