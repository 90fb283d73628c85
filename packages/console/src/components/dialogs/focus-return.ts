import { useEffect, useState } from 'react';

/** Takes the focus when the focused element disappears. Not a tab stop. */
export function focusOn(element: HTMLElement): void {
  if (element.tabIndex < 0) element.tabIndex = -1;
  element.focus();
}

/** Heading of the surrounding section. */
const findHeading = (element: Element | null | undefined): HTMLElement | null =>
  element?.closest('section')?.querySelector<HTMLElement>('h2') ?? document.querySelector<HTMLElement>('main h1, h1');

/** Returns the focus after a dialog: to its opener; if its row was deleted, to the next row or the heading. */
export function focusReturner(opener: Element | null): () => void {
  const row = opener?.closest<HTMLElement>('[role=row]');
  const rows = [...(row?.parentElement?.children ?? [])] as HTMLElement[];
  const at = row ? rows.indexOf(row) : -1;
  const others = [...rows.slice(at + 1), ...rows.slice(0, Math.max(at, 0)).reverse()];
  const section = opener?.closest('section');
  return () => {
    if (opener instanceof HTMLElement && opener.isConnected) return opener.focus();
    const next = others.find(({ isConnected }) => isConnected) ?? findHeading(section?.isConnected ? section : null);
    if (next) focusOn(next);
  };
}

/** For dialogs that unmount together with their opener. */
export function useFocusReturn(): void {
  const [restoreFocus] = useState(() => focusReturner(document.activeElement));
  useEffect(() => restoreFocus, [restoreFocus]);
}
