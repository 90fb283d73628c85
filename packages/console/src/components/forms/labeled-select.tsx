import { Select, type SelectProps } from '@mantine/core';
import { capitalize } from '../text/role-labels.ts';

interface LabeledSelectProps<Value extends string> extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  labels: Record<Value, string>;
  value: Value;
  onChange: (value: Value) => void;
  /** Hides the explanations, as in table rows. */
  isShort?: boolean;
}

/** Selects an app permission or an organization role. */
export function LabeledSelect<Value extends string>({
  labels,
  value,
  onChange,
  isShort,
  ...rest
}: LabeledSelectProps<Value>) {
  const data = (Object.keys(labels) as Value[]).map((each) => ({
    value: each as string,
    label: isShort ? capitalize(each) : labels[each],
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
