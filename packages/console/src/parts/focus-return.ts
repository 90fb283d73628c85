import { useEffect, useState } from 'react';

/** What takes the focus when its bearer is gone: it is no stop of the Tab key. */
export function focusOn(element: HTMLElement): void {
  if (element.tabIndex < 0) element.tabIndex = -1;
  element.focus();
}

/** The heading of the part of the page that something stands in. */
const headingOf = (element: Element | null | undefined): HTMLElement | null =>
  element?.closest('section')?.querySelector<HTMLElement>('h2') ?? document.querySelector<HTMLElement>('main h1, h1');

/** Where the focus goes after a dialog: to its opener, or if that went with its row to the next one, or to the heading. */
export function focusReturner(opener: Element | null): () => void {
  const row = opener?.closest<HTMLElement>('[role=row]');
  const rows = [...(row?.parentElement?.children ?? [])] as HTMLElement[];
  const at = row ? rows.indexOf(row) : -1;
  const others = [...rows.slice(at + 1), ...rows.slice(0, Math.max(at, 0)).reverse()];
  const section = opener?.closest('section');
  return () => {
    if (opener instanceof HTMLElement && opener.isConnected) return opener.focus();
    const next = others.find(({ isConnected }) => isConnected) ?? headingOf(section?.isConnected ? section : null);
    if (next) focusOn(next);
  };
}

/** For a dialog that its opener takes away whole. */
export function useFocusReturn(): void {
  const [giveBack] = useState(() => focusReturner(document.activeElement));
  useEffect(() => giveBack, [giveBack]);
}
