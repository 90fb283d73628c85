import { Textarea, type TextareaProps } from '@mantine/core';
import { formatLabel, type Ruled } from './fields.tsx';
import { useField } from './form.tsx';

/** A multi-line text. */
export function LongTextField({ name, label, rule, ...props }: Ruled & Omit<TextareaProps, 'name' | 'label'>) {
  return (
    <Textarea
      name={name}
      label={formatLabel({ name, label, rule })}
      required={rule.isRequired}
      maxLength={rule.maxLength}
      autosize
      minRows={2}
      {...useField(name, rule)}
      {...props}
    />
  );
}
