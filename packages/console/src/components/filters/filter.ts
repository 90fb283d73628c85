export interface Filter {
  /** Name in the URL. */
  name: string;
  label: string;
  /** A choice, a text, or a time range. */
  kind: 'choice' | 'text' | 'time';
  /** Choices, or suggestions for a text. */
  choices?: { value: string; label: string }[];
  /** A time range without an end. */
  isOpenEnded?: boolean;
}

/** A common combination of filters. */
export interface Preset {
  label: string;
  values: Record<string, string>;
}

/** An active filter. */
export interface ChipProps {
  filter: Filter;
  value: string;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  onChange: (value: string) => void;
}
