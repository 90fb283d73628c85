/** Languages of frames, as named in the API. */
export const languages = [
  'JavaScript',
  'CSharp',
  'Objective-C',
  'Objective-Cpp',
  'Cpp',
  'C',
  'Swift',
  'Java',
  'Unknown',
] as const;
export type Language = (typeof languages)[number];

/** Platforms of stacks, as named in the API. */
export const platforms = ['ios', 'android', 'xamarin', 'react-native', 'ndk', 'unity', 'other'] as const;
export type Platform = (typeof platforms)[number];

/** One call in a stack, innermost first. */
export interface Frame {
  /** The line as received, or an equivalent. */
  raw: string;
  language: Language;
  /** Code of the app, not of the system or a framework. */
  isApp: boolean;
  className?: string;
  method?: string;
  /** Objective-C: `+[Class method]`. */
  isClassMethod?: boolean;
  params?: string;
  file?: string;
  line?: number;
  column?: number;
  /** Hexadecimal, with 0x. */
  address?: string;
  /** The binary or framework that contains it. */
  image?: string;
  /** ID of the binary or bundle for finding its symbols, and the offset of the address. */
  imageId?: string;
  offset?: number;
  /** The number of a method in its .NET assembly; `offset` is in its code. */
  methodNumber?: number;
  /** The address is that of the call, not of its return. */
  isExact?: boolean;
  /** The location is one in machine code or a bundle instead of source code. */
  isUnsymbolicated?: boolean;
  /** The compiler inlined it into the next frame. */
  isInlined?: boolean;
  /** Other possible names, if the report is ambiguous. */
  alternatives?: string[];
}

export interface ExceptionStack {
  type: string;
  message: string;
  frames: Frame[];
}

export interface ThreadStack {
  id: number;
  name: string;
  isCrashed: boolean;
  frames: Frame[];
  /** The last exception of this thread. */
  exception?: ExceptionStack;
}

/** A loaded binary that contains frames. */
export interface Image {
  id: string;
  name: string;
  path: string;
  start: string;
  end: string;
  architecture: string;
  isApp: boolean;
}

/** The parsed stack of a report. */
export interface Stack {
  platform: Platform;
  /** Outermost first, each followed by its cause. */
  exceptions: ExceptionStack[];
  threads: ThreadStack[];
  images: Image[];
  /** Registers of the crashed thread. */
  registers: Record<string, string>;
  /** Notes for readers about omitted or unreadable parts. */
  notes: string[];
  /** The exception that was thrown identifies the problem; otherwise it is the innermost cause in app code. */
  isTitledByOutermost?: true;
  /** IDs of R8 mappings that the build put into the app. */
  mappingIds?: string[];
  /** The app's own grouping: reports with the same one belong together. */
  fingerprint?: string[];
  /** Missing symbols, the reason, and the command to upload them. */
  missing?: MissingSymbols[];
}

export interface MissingSymbols {
  id: string;
  name: string;
  type: 'AndroidProguard' | 'Apple' | 'Breakpad' | 'JavaScript' | 'UWP';
  arch: string;
  reason: 'missing' | 'other-build' | 'ignored';
  message: string;
  command?: string;
}

export const emptyStack = (platform: Platform): Stack => ({
  platform,
  exceptions: [],
  threads: [],
  images: [],
  registers: {},
  notes: [],
});

/** `Class.method(File.java:12)`, without unknown parts. */
export function formatFrame(frame: Frame): string {
  const { className, method, params, file, line, column, image, address, language } = frame;
  const isObjectiveC = language === 'Objective-C' && className !== undefined && method !== undefined;
  const called = isObjectiveC
    ? `${frame.isClassMethod ? '+' : '-'}[${className} ${method}]`
    : [className, method].filter(Boolean).join('.');
  if (!called) return frame.raw || [image, address].filter(Boolean).join(' ') || '(unknown)';
  const where = file && [file, line, column].filter((part) => part !== undefined).join(':');
  return `${called}${params ? `(${params})` : ''}${where ? ` (${where})` : image ? ` (${image})` : ''}`;
}
