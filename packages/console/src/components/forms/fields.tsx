import { PasswordInput, type PasswordInputProps, TextInput, type TextInputProps } from '@mantine/core';
import type { FieldRule } from './field-rules.ts';
import { useField } from './form.tsx';

export interface Ruled {
  name: string;
  label: string;
  rule: FieldRule;
}

/** Optional fields are labeled as such, so required fields need no mark. */
export const formatLabel = ({ label, rule }: Ruled): string => (rule.isRequired ? label : `${label} (optional)`);

const getInputType = ({ format }: FieldRule) => (format === 'email' ? 'email' : format === 'uri' ? 'url' : 'text');

/** A single-line text with the contract's rule. */
export function TextField({ name, label, rule, ...props }: Ruled & Omit<TextInputProps, 'name' | 'label'>) {
  return (
    <TextInput
      name={name}
      label={formatLabel({ name, label, rule })}
      type={getInputType(rule)}
      required={rule.isRequired}
      maxLength={rule.maxLength}
      {...useField(name, rule)}
      {...props}
    />
  );
}

/** A name in a URL or command: without autocorrection. */
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
