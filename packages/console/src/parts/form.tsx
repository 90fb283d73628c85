import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode, SubmitEvent } from 'react';
import { Failure } from './failure.tsx';

/** What somebody has typed, by the name of the field. */
export interface Fields {
  /** Without the spaces around it; undefined when nothing is left. */
  text(name: string): string | undefined;
  /** Exactly as typed. */
  secret(name: string): string;
  isOn(name: string): boolean;
}

function fieldsOf(form: HTMLFormElement): Fields {
  const data = new FormData(form);
  const typed = (name: string) => String(data.get(name) ?? '');
  return { text: (name) => typed(name).trim() || undefined, secret: typed, isOn: (name) => data.has(name) };
}

interface FormProps {
  /** What the button says. */
  action: string;
  sending: { isPending: boolean; error: unknown };
  onSend: (fields: Fields, form: HTMLFormElement) => void;
  /** Said beside the button after success, where the page itself does not show it. */
  done?: string | false;
  onCancel?: () => void;
  children: ReactNode;
}

/** The buttons of a dialog, at its end. */
export const DialogButtons = ({ children }: { children: ReactNode }) => <Group justify="flex-end">{children}</Group>;

/** A form with one action; the browser checks the fields and the server has the last word. */
export function Form({ action, sending, onSend, done, onCancel, children }: FormProps) {
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSend(fieldsOf(event.currentTarget), event.currentTarget);
  };
  return (
    <form onSubmit={send}>
      <Stack gap="md">
        {children}
        {sending.error != null && <Failure error={sending.error} />}
        <Group justify={onCancel ? 'flex-end' : 'flex-start'}>
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
          )}
          <Button type="submit" loading={sending.isPending}>
            {action}
          </Button>
          {done !== undefined && (
            <Text role="status" size="sm" c="dimmed">
              {done}
            </Text>
          )}
        </Group>
      </Stack>
    </form>
  );
}
