import { Select, type SelectProps } from '@mantine/core';
import { titleOf } from './role-words.ts';

interface ChoiceProps<Value extends string> extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  words: Record<Value, string>;
  value: Value;
  onChange: (value: Value) => void;
  /** Shows names only, as in a row of a table. */
  isShort?: boolean;
}

/** One of a few: a permission on an app, or a role in an organization. */
export function Choice<Value extends string>({ words, value, onChange, isShort, ...rest }: ChoiceProps<Value>) {
  const data = (Object.keys(words) as Value[]).map((each) => ({
    value: each as string,
    label: isShort ? titleOf(each) : words[each],
  }));
  return (
    <Select
      data={data}
      value={value}
      onChange={(chosen) => chosen && chosen !== value && onChange(chosen as Value)}
      allowDeselect={false}
      comboboxProps={{ withinPortal: true, width: 'max-content', position: 'bottom-start' }}
      {...(isShort ? { size: 'xs', w: 130 } : {})}
      {...rest}
    />
  );
}
