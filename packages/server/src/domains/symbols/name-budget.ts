/** Maximum characters of one name; longer names are cut. */
export const MAX_NAME = 1_000;
/** Maximum characters of all names in one report, with their other fields. */
export const MAX_NAMES = 2 ** 21;
/** Characters of a frame without its names. */
const FRAME = 200;

export const CUT_NAMES = 'The names of the frames are too long in total; some frames are shown without their names.';

/** Limits how much a small symbol file can add to a report: a long name or many inlined functions at every frame. */
export interface NameBudget {
  /** Characters left. */
  readonly left: number;
  /** True if a frame got no names. */
  readonly isCut: boolean;
  /** Returns the chain, or an empty one if it exceeds the budget. */
  take<T extends object>(chain: T[], extra?: number): T[];
}

function measureChain(chain: readonly object[]): number {
  let sum = 0;
  for (const location of chain) {
    sum += FRAME;
    for (const value of Object.values(location)) {
      if (typeof value === 'string') sum += value.length;
      else if (Array.isArray(value)) for (const one of value) sum += String(one).length;
    }
  }
  return sum;
}

/** `extra` are characters that the frame itself adds to each location of its chain. */
export function createNameBudget(maxChars = MAX_NAMES): NameBudget {
  let left = maxChars;
  let isCut = false;
  return {
    get left() {
      return left;
    },
    get isCut() {
      return isCut;
    },
    take(chain, extra = 0) {
      const cost = measureChain(chain) + chain.length * extra;
      if (cost > left) {
        if (chain.length > 0) isCut = true;
        return [];
      }
      left -= cost;
      return chain;
    },
  };
}

const cut = (value: unknown): unknown =>
  typeof value === 'string'
    ? value.length > MAX_NAME
      ? value.slice(0, MAX_NAME).toWellFormed()
      : value
    : Array.isArray(value)
      ? value.map(cut)
      : value;

/** Cuts long names of a location. */
export const cutNames = <T extends object>(location: T): T =>
  Object.fromEntries(Object.entries(location).map(([field, value]) => [field, cut(value)])) as T;

/** Characters of the raw line that each inlined frame repeats. */
export const MAX_INLINED_RAW = 500;

interface FrameTexts {
  raw?: string;
  image?: string;
  imageId?: string;
  className?: string;
  file?: string;
  method?: string;
}

/** Characters of a frame that each inlined function repeats. */
export const ownChars = ({
  raw = '',
  image = '',
  imageId = '',
  className = '',
  file = '',
  method = '',
}: FrameTexts): number =>
  Math.min(raw.length, MAX_INLINED_RAW) +
  [image, imageId, className, file, method].reduce((sum, { length }) => sum + length, 0);
