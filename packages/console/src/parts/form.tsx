import { Button, Group, Stack, Text } from '@mantine/core';
import { ApiError } from '@mooring/contract';
import { createContext, type ReactNode, type SubmitEvent, useContext, useEffect, useRef, useState } from 'react';
import { useDialogGuard } from './dialog-guard.ts';
import { Failure, reasonOf } from './failure.tsx';
import { type FieldRule, fieldErrors, problemWith } from './field-rules.ts';
import { LeaveGuard } from './leave-guard.tsx';

/** What somebody has typed, by the name of the field. */
export interface Fields {
  /** Without the spaces around it; undefined when nothing is left. */
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
  /** Its rule holds until what is returned is called. */
  register: (name: string, rule: FieldRule) => () => void;
  /** Somebody types into it again. */
  mended: (name: string) => void;
}

const FormContext = createContext<FormFields | undefined>(undefined);

/** What is wrong with a field of the form around, and what to tell it. */
export function useField(name: string, rule: FieldRule) {
  const form = useContext(FormContext);
  const register = form?.register;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a rule is the same as long as it says the same.
  useEffect(() => register?.(name, rule), [register, name, JSON.stringify(rule)]);
  return { error: form?.errors[name], onInput: () => form?.errors[name] && form.mended(name) };
}

interface FormProps {
  /** What the button says. */
  action: string;
  sending: { isPending: boolean; error: unknown };
  onSend: (fields: Fields, form: HTMLFormElement) => void;
  /** The field that a conflict with others is about, such as a name that is taken. */
  conflict?: string;
  /** Said beside the button after success, where the page itself does not show it. */
  done?: string | false;
  onCancel?: () => void;
  /** What is typed is soon typed again, so nobody is asked before leaving. */
  isFleeting?: boolean;
  children: ReactNode;
}

/** A form with one action: what is wrong is said at its field, by the contract's rules and by the server, who has the last word. */
export function Form({ action, sending, onSend, conflict, done, onCancel, isFleeting, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [rules] = useState(() => new Map<string, FieldRule>());
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [isTouched, setTouched] = useState(false);
  const { error } = sending;
  const { rest } = answerOf(error, [...rules.keys()], conflict);
  useEffect(() => {
    if (error == null) return;
    setErrors(answerOf(error, [...rules.keys()], conflict).fields);
    setTouched(true);
  }, [error, conflict, rules]);
  useEffect(() => {
    if (Object.values(errors).some(Boolean)) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [errors]);
  useDialogGuard(isTouched ? 'What you typed is lost.' : undefined);

  const [register] = useState(() => (name: string, rule: FieldRule) => {
    rules.set(name, rule);
    return () => void rules.delete(name);
  });
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = readFields(event.currentTarget);
    const problems = [...rules].map(([name, rule]) => [name, problemWith(rule, fields.secret(name))]);
    const found = Object.fromEntries(problems.filter(([, problem]) => problem));
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    setTouched(false);
    onSend(fields, event.currentTarget);
  };
  return (
    <FormContext value={{ errors, register, mended: (name) => setErrors(({ [name]: _, ...others }) => others) }}>
      <form ref={form} noValidate onSubmit={send} onInput={() => setTouched(true)}>
        {isTouched && !isFleeting && <LeaveGuard />}
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

/** What the server said, as far as it is about one of the fields, and the rest. */
function answerOf(error: unknown, names: string[], conflict: string | undefined) {
  if (error == null) return { fields: {}, rest: '' };
  const text = reasonOf(error);
  if (!(error instanceof ApiError) || error.status === 429) return { fields: {}, rest: text };
  if (error.status !== 409) return fieldErrors(text, names);
  const about = text.startsWith('The e-mail ') ? 'email' : conflict;
  return about && names.includes(about) ? { fields: { [about]: text }, rest: '' } : { fields: {}, rest: text };
}
