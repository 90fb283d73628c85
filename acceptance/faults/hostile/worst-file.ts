/** A body for an endpoint that accepts bytes or files. */
export interface WorstFile {
  shape: string;
  body: () => Buffer;
  type?: string;
  isCompressed?: true;
  /** Part of the short form. */
  isDearest?: true;
}
