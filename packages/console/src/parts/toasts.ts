export interface Toast {
  id: number;
  text: string;
  /** Takes back what was done. */
  undo?: () => unknown;
}

let shown: Toast[] = [];
let last = 0;
const listeners = new Set<() => void>();

function show(next: Toast[]): void {
  shown = next;
  for (const tell of listeners) tell();
}

/** At most so many at a time: the oldest makes room. */
const MOST = 3;

/** Says that something was done, without being in the way. */
export function toast(text: string, undo?: () => unknown): void {
  last += 1;
  show([...shown, { id: last, text, ...(undo ? { undo } : {}) }].slice(-MOST));
}

export const dismiss = (id: number): void => show(shown.filter((each) => each.id !== id));

export const toasts = {
  subscribe: (tell: () => void): (() => void) => {
    listeners.add(tell);
    return () => listeners.delete(tell);
  },
  read: (): Toast[] => shown,
};
