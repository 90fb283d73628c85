import { type RefObject, useEffect } from 'react';
import { focusOn } from './focus-return.ts';

const TABLE = '[data-rows]';

/** Somebody who types, or is in a dialog or a menu, does not mean the table. */
const isElsewhere = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('input, textarea, select, [contenteditable], [role=dialog], [role=menu], [role=listbox]') !== null;

/** Of several tables on a page, the one with the focus answers, or else the first. */
const answers = (table: Element): boolean =>
  (document.activeElement?.closest(TABLE) ?? document.querySelector(TABLE)) === table;

/** j and k go from row to row, Enter opens the one that they stand on. */
export function useTableKeys(table: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const here = table.current;
      const step = { j: 1, k: -1, Enter: 0 }[event.key];
      if (!here || step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isElsewhere(event.target) || document.querySelector('[aria-modal=true]') || !answers(here)) return;
      const rows = [...here.querySelectorAll<HTMLElement>('tbody > [role=row]')];
      if (step === 0) {
        if (document.activeElement?.matches(`${TABLE} tbody > [role=row]`)) opens(document.activeElement)?.click();
        return;
      }
      const at = rows.findIndex((row) => row.contains(document.activeElement));
      const next = rows[at < 0 ? 0 : at + step];
      if (!next) return;
      event.preventDefault();
      focusOn(next);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [table]);
}

const opens = (row: Element): HTMLElement | null => row.querySelector('a') ?? row.querySelector('button');
