import { Alert, Button, Group, Stack, TextInput } from '@mantine/core';
import { IconCheck, IconCopy, IconInfoCircle } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import { copyText } from './copyable.tsx';
import { DialogButtons } from './dialog-buttons.tsx';
import { useDialogGuard } from './dialog-guard.ts';

interface SecretValueProps {
  secrets: [label: string, value: string][];
  /** That they are shown this once. */
  warning: ReactNode;
  onClose?: () => void;
}

/** Secrets that the server has made: the only time that anybody sees them. */
export function SecretValue({ secrets, warning, onClose }: SecretValueProps) {
  useDialogGuard('It is shown this once. Copy it before you close.');
  return (
    <Stack>
      <Alert icon={<IconInfoCircle aria-hidden />} color="yellow" role="status">
        {warning}
      </Alert>
      {secrets.map(([label, value], at) => (
        <Secret key={label} label={label} value={value} isFirst={at === 0} />
      ))}
      {onClose && (
        <DialogButtons>
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
        </DialogButtons>
      )}
    </Stack>
  );
}

function Secret({ label, value, isFirst }: { label: string; value: string; isFirst: boolean }) {
  const field = useRef<HTMLInputElement>(null);
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    field.current?.select();
    setCopied(await copyText(value));
  };
  return (
    <Group align="flex-end" gap="xs" wrap="nowrap">
      <TextInput
        ref={field}
        label={label}
        value={value}
        readOnly
        onFocus={({ currentTarget }) => currentTarget.select()}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        autoComplete="off"
        flex={1}
      />
      <Button
        variant={isCopied ? 'light' : 'filled'}
        leftSection={isCopied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
        onClick={() => void copy()}
        aria-label={isCopied ? `Copied: ${label}` : `Copy: ${label}`}
        autoFocus={isFirst}
      >
        {isCopied ? 'Copied' : 'Copy'}
      </Button>
    </Group>
  );
}
