/** What the wire calls the language that a frame was written in. */
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

/** From what kind of program a stack is, in the words of the wire. */
export const platforms = ['ios', 'android', 'xamarin', 'react-native', 'ndk', 'unity', 'other'] as const;
export type Platform = (typeof platforms)[number];

/** One call in a stack, the innermost first. */
export interface Frame {
  /** The line as it came, or what would have been one. */
  raw: string;
  language: Language;
  /** Code of the app, not of the system or of a framework. */
  isApp: boolean;
  className?: string;
  method?: string;
  /** Of Objective-C: `+[Class method]`. */
  isClassMethod?: boolean;
  params?: string;
  file?: string;
  line?: number;
  column?: number;
  /** Hexadecimal, with 0x. */
  address?: string;
  /** The binary or framework that it is in. */
  image?: string;
  /** Of that binary, as symbols are found by it, and how far into it the address is. */
  imageId?: string;
  offset?: number;
  /** The address is that of the call, not where it returns to. */
  isExact?: boolean;
  /** It is where a machine or a packed file says, and not where somebody wrote it. */
  isUnsymbolicated?: boolean;
  /** The compiler put it into the frame after it. */
  isInlined?: boolean;
  /** What else it could be, where the report tells too little. */
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

/** A loaded binary that frames are in. */
export interface Image {
  id: string;
  name: string;
  path: string;
  start: string;
  end: string;
  architecture: string;
  isApp: boolean;
}

/** What a report says of where the program was. */
export interface Stack {
  platform: Platform;
  /** The outermost first, each followed by its cause. */
  exceptions: ExceptionStack[];
  threads: ThreadStack[];
  images: Image[];
  /** Registers of the thread that crashed. */
  registers: Record<string, string>;
  /** What a reader should know: what was cut off, or could not be read. */
  notes: string[];
  /** Symbols that frames wait for, why there are none, and what to run. */
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

/** `Class.method(File.java:12)`, as far as it is known. */
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
