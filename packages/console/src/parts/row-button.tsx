import { Button, type ButtonProps } from '@mantine/core';

interface RowButtonProps extends ButtonProps {
  /** What it does to which row, for those who do not see the row. It begins with what the button says. */
  label: string;
  onClick: () => void;
  children: string;
}

/** Something that can be done with one row of a table. */
export const RowButton = ({ label, ...props }: RowButtonProps) => (
  <Button size="compact-xs" variant="default" fw={500} aria-label={label} {...props} />
);
