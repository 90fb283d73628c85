export interface Filter {
  /** What it is called in the address. */
  name: string;
  label: string;
  /** One of a few, a text of one's own, or a span of time. */
  kind: 'choice' | 'text' | 'time';
  /** What there is to choose from; for a text, what is offered. */
  choices?: { value: string; label: string }[];
  /** A span of time that always reaches to now. */
  isOpenEnded?: boolean;
}

/** Several filters that are often wanted together. */
export interface Preset {
  label: string;
  values: Record<string, string>;
}

/** A filter that is used, and whether it is open to be changed. */
export interface ChipProps {
  filter: Filter;
  value: string;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  onChange: (value: string) => void;
}
