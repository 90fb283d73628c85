import { Button, type ButtonProps } from '@mantine/core';

interface RowButtonProps extends ButtonProps {
  /** Accessible name with the row; starts with the visible text. */
  label: string;
  onClick: () => void;
  children: string;
}

/** A row action. */
export const RowButton = ({ label, ...props }: RowButtonProps) => (
  <Button size="compact-xs" variant="default" fw={500} aria-label={label} {...props} />
);
