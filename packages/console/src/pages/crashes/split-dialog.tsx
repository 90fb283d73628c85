import { Button, Checkbox, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type Issue, useSplit } from '../../api/crashes.ts';
import { inFull } from '../../parts/charts/numbers.ts';
import { DialogButton } from '../../parts/dialog-button.tsx';
import { DialogButtons } from '../../parts/dialog-buttons.tsx';
import { Failure } from '../../parts/failure.tsx';
import { useAppHere } from '../../parts/may.ts';

export const SplitButton = ({ issue }: { issue: Issue }) => (
  <DialogButton label="Split" title="Take parts out of this issue" variant="default">
    {(close) => <Split issue={issue} onClose={close} />}
  </DialogButton>
);

function Split({ issue, onClose }: { issue: Issue; onClose: () => void }) {
  const { appRef } = useAppHere();
  const [keys, setKeys] = useState<string[]>([]);
  const splitting = useSplit(appRef, issue.id);
  return (
    <Stack gap="md">
      <Text size="sm">Each part becomes an issue of its own, with its reports and those to come. One has to stay.</Text>
      <Checkbox.Group value={keys} onChange={setKeys} label="Parts">
        <Stack gap="xs" mt="xs">
          {issue.parts.map(({ key, title, count, versions }) => (
            <Checkbox
              key={key}
              value={key}
              label={title || 'Unknown'}
              description={`${inFull(count)} reports, ${versions.join(', ')}`}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      {splitting.error && <Failure error={splitting.error} title="It could not be split" />}
      <DialogButtons>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          disabled={keys.length === 0 || keys.length === issue.parts.length}
          loading={splitting.isPending}
          onClick={() => splitting.mutate(keys, { onSuccess: onClose })}
        >
          Split
        </Button>
      </DialogButtons>
    </Stack>
  );
}
