export type Environment = Record<string, string | undefined>;

/** An output stream, usually stdout or stderr. */
export interface Stream {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}
