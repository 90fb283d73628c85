export interface Toast {
  id: number;
  text: string;
  /** Reverts the action. */
  undo?: () => unknown;
}

let shown: Toast[] = [];
let last = 0;
const listeners = new Set<() => void>();

function show(next: Toast[]): void {
  shown = next;
  for (const notify of listeners) notify();
}

/** The oldest toast makes room for a new one. */
const MAX_TOASTS = 3;

/** Confirms an action without interrupting. */
export function toast(text: string, undo?: () => unknown): void {
  last += 1;
  show([...shown, { id: last, text, ...(undo ? { undo } : {}) }].slice(-MAX_TOASTS));
}

export const dismiss = (id: number): void => show(shown.filter((each) => each.id !== id));

export const toasts = {
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  read: (): Toast[] => shown,
};
