import { Alert, Button, Group, Stack, TextInput } from '@mantine/core';
import { IconCheck, IconCopy, IconInfoCircle } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import { DialogButtons } from '../dialogs/dialog-buttons.tsx';
import { useDialogGuard } from '../dialogs/dialog-guard.ts';
import { copyText } from './copyable.tsx';

interface SecretValueProps {
  secrets: [label: string, value: string][];
  /** Explains that the secrets are shown only once. */
  warning: ReactNode;
  onClose?: () => void;
}

/** Secrets from the server, shown only once. */
export function SecretValue({ secrets, warning, onClose }: SecretValueProps) {
  useDialogGuard('This secret is shown only once. Copy it before you close.');
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
