import type { RequestedSymbols } from './missing-symbols.ts';

/** The fields of a frame that symbolication uses; others are preserved. */
export interface RawFrame {
  raw?: string;
  language?: string;
  /** Code of the app. Symbols of other code are looked up, but not reported as missing. */
  isApp?: boolean;
  className?: string;
  method?: string;
  isClassMethod?: boolean;
  file?: string;
  line?: number;
  column?: number;
  image?: string;
  /** ID of the image; of a script, its debug ID. */
  imageId?: string;
  /** Offset of the address in the image; for a method of .NET, in its code. */
  offset?: number;
  /** The number of a method in its .NET assembly. */
  methodNumber?: number;
  /** The offset is that of the call, not the return address. */
  isExact?: boolean;
  isUnsymbolicated?: boolean;
  /** Inlined into the following frame. */
  isInlined?: boolean;
  /** Other candidates, if the report is ambiguous. */
  alternatives?: string[];
}

export interface RawStack<F extends RawFrame> {
  /** Type of the exception, for exceptions. */
  type?: string;
  frames: readonly F[];
}

export interface Symbolication<F extends RawFrame> {
  appId: string;
  version: string;
  build: string;
  stacks: readonly RawStack<F>[];
  /** IDs of the build or of its script update, if the report has them. */
  buildIds?: readonly string[];
  /** IDs of R8 mappings that the build put into the app. */
  mappingIds?: readonly string[];
}

/** The reason why frames of an image have no names, and the remedy. */
export interface Unresolved extends RequestedSymbols {
  reason: 'missing' | 'other-build' | 'ignored';
  message: string;
  /** Command that would fix it. */
  command?: string;
}

export interface Symbolicated<F extends RawFrame> {
  stacks: { type?: string; frames: F[] }[];
  unresolved: Unresolved[];
  /** Notes for readers about symbols that were found. */
  notes: string[];
}
