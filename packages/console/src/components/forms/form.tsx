import { Button, Group, Stack, Text } from '@mantine/core';
import { ApiError } from '@mooring/contract';
import { createContext, type ReactNode, type SubmitEvent, useContext, useEffect, useRef, useState } from 'react';
import { useDialogGuard } from '../dialogs/dialog-guard.ts';
import { UnsavedChangesGuard } from '../dialogs/unsaved-changes-guard.tsx';
import { Failure, getErrorMessage } from '../feedback/failure.tsx';
import { type FieldRule, fieldErrors, problemWith } from './field-rules.ts';

/** Form values by field name. */
export interface Fields {
  /** Trimmed; undefined if empty. */
  text(name: string): string | undefined;
  /** Exactly as typed. */
  secret(name: string): string;
  isOn(name: string): boolean;
}

function readFields(form: HTMLFormElement): Fields {
  const data = new FormData(form);
  const typed = (name: string) => String(data.get(name) ?? '');
  return { text: (name) => typed(name).trim() || undefined, secret: typed, isOn: (name) => data.has(name) };
}

interface FormFields {
  errors: Record<string, string>;
  /** Registers a rule until the returned function is called. */
  register: (name: string, rule: FieldRule) => () => void;
  /** Called when the user edits the field. */
  clearError: (name: string) => void;
}

const FormContext = createContext<FormFields | undefined>(undefined);

/** Error and handlers of a field in the surrounding form. */
export function useField(name: string, rule: FieldRule) {
  const form = useContext(FormContext);
  const register = form?.register;
  // biome-ignore lint/correctness/useExhaustiveDependencies: rules with the same content are equal.
  useEffect(() => register?.(name, rule), [register, name, JSON.stringify(rule)]);
  return { error: form?.errors[name], onInput: () => form?.errors[name] && form.clearError(name) };
}

interface FormProps {
  /** Label of the submit button. */
  action: string;
  sending: { isPending: boolean; error: unknown };
  onSend: (fields: Fields, form: HTMLFormElement) => void;
  /** The field to blame for a conflict, such as a taken name, if the server names none. */
  conflict?: string;
  /** Message beside the button after success, if the page doesn't show the result. */
  done?: string | false;
  onCancel?: () => void;
  /** The values are quick to enter again, so leaving the page needs no confirmation. */
  isFleeting?: boolean;
  children: ReactNode;
}

/** A form with one action. Shows errors at their fields, from the contract's rules and from the server. */
export function Form({ action, sending, onSend, conflict, done, onCancel, isFleeting, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [rules] = useState(() => new Map<string, FieldRule>());
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [isTouched, setTouched] = useState(false);
  const { error } = sending;
  const { rest } = toFormErrors(error, [...rules.keys()], conflict);
  useEffect(() => {
    if (error == null) return;
    setErrors(toFormErrors(error, [...rules.keys()], conflict).fields);
    setTouched(true);
  }, [error, conflict, rules]);
  useEffect(() => {
    if (Object.values(errors).some(Boolean)) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [errors]);
  useDialogGuard(isTouched ? 'Your changes will be lost.' : undefined);

  const [register] = useState(() => (name: string, rule: FieldRule) => {
    rules.set(name, rule);
    return () => void rules.delete(name);
  });
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = readFields(event.currentTarget);
    const problems = [...rules].map(([name, rule]) => [name, problemWith(rule, fields.secret(name))]);
    const nextErrors = Object.fromEntries(problems.filter(([, problem]) => problem));
    setErrors(nextErrors);
    if (Object.keys(nextErrors).length > 0) return;
    setTouched(false);
    onSend(fields, event.currentTarget);
  };
  return (
    <FormContext value={{ errors, register, clearError: (name) => setErrors(({ [name]: _, ...others }) => others) }}>
      <form ref={form} noValidate onSubmit={send} onInput={() => setTouched(true)}>
        {isTouched && !isFleeting && <UnsavedChangesGuard />}
        <Stack gap="md">
          {children}
          {rest && <Failure error={error} text={rest} />}
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
    </FormContext>
  );
}

/** Splits a server error into field errors and a rest. */
function toFormErrors(error: unknown, names: string[], conflict: string | undefined) {
  if (error == null) return { fields: {}, rest: '' };
  const text = getErrorMessage(error);
  if (!(error instanceof ApiError) || error.status === 429) return { fields: {}, rest: text };
  if (error.status !== 409) return fieldErrors(text, names);
  const about = error.target ?? conflict;
  return about && names.includes(about) ? { fields: { [about]: text }, rest: '' } : { fields: {}, rest: text };
}
