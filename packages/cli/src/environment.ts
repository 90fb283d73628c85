export type Environment = Record<string, string | undefined>;

/** Where something is printed. */
export interface Stream {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}
