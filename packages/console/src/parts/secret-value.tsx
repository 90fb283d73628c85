import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { IconCheck, IconCopy, IconInfoCircle } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import { copyText } from './copyable.tsx';
import { DialogButtons } from './form.tsx';

interface SecretValueProps {
  label: string;
  value: string;
  /** That it is shown this once. */
  warning: ReactNode;
  onClose?: () => void;
}

/** A secret that the server has made: the only time that anybody sees it. */
export function SecretValue({ label, value, warning, onClose }: SecretValueProps) {
  const field = useRef<HTMLInputElement>(null);
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    field.current?.select();
    setCopied(await copyText(value));
  };
  return (
    <Stack>
      <Alert icon={<IconInfoCircle aria-hidden />} color="yellow" role="status">
        {warning}
      </Alert>
      <TextInput
        ref={field}
        label={label}
        value={value}
        readOnly
        onFocus={({ currentTarget }) => currentTarget.select()}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        autoComplete="off"
      />
      <DialogButtons>
        <Button
          variant={isCopied ? 'light' : 'filled'}
          leftSection={isCopied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          onClick={() => void copy()}
          autoFocus
        >
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
        {onClose && (
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
        )}
      </DialogButtons>
    </Stack>
  );
}
