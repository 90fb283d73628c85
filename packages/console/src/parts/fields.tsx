import { PasswordInput, type PasswordInputProps, TextInput, type TextInputProps } from '@mantine/core';
import type { FieldRule } from './field-rules.ts';
import { useField } from './form.tsx';

export interface Ruled {
  name: string;
  label: string;
  rule: FieldRule;
}

/** What may be left out says so, so the rest needs no mark. */
export const labelOf = ({ label, rule }: Ruled): string => (rule.isRequired ? label : `${label} (optional)`);

const typeOf = ({ format }: FieldRule) => (format === 'email' ? 'email' : format === 'uri' ? 'url' : 'text');

/** A line of text, as the contract takes it. */
export function TextField({ name, label, rule, ...props }: Ruled & Omit<TextInputProps, 'name' | 'label'>) {
  return (
    <TextInput
      name={name}
      label={labelOf({ name, label, rule })}
      type={typeOf(rule)}
      required={rule.isRequired}
      maxLength={rule.maxLength}
      {...useField(name, rule)}
      {...props}
    />
  );
}

/** The part of an address or a command that something is known by: nothing corrects it. */
export const NameField = (props: Parameters<typeof TextField>[0]) => (
  <TextField autoComplete="off" autoCapitalize="none" spellCheck={false} {...props} />
);

export function PasswordField({ name, label, rule, ...props }: Ruled & Omit<PasswordInputProps, 'name' | 'label'>) {
  return (
    <PasswordInput
      name={name}
      label={label}
      required={rule.isRequired}
      maxLength={rule.maxLength}
      {...useField(name, rule)}
      {...props}
    />
  );
}
