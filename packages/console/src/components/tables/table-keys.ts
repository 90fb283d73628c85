import { type RefObject, useEffect } from 'react';
import { focusOn } from '../dialogs/focus-return.ts';

const TABLE = '[data-rows]';

/** Ignores keys in text fields, dialogs and menus. */
const isElsewhere = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('input, textarea, select, [contenteditable], [role=dialog], [role=menu], [role=listbox]') !== null;

/** Of several tables, the focused one handles the keys; by default the first. */
const isActiveTable = (table: Element): boolean =>
  (document.activeElement?.closest(TABLE) ?? document.querySelector(TABLE)) === table;

/** j and k move between rows; Enter opens the focused one. */
export function useTableKeys(table: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const here = table.current;
      const step = { j: 1, k: -1, Enter: 0 }[event.key];
      if (!here || step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isElsewhere(event.target) || document.querySelector('[aria-modal=true]') || !isActiveTable(here)) return;
      const rows = [...here.querySelectorAll<HTMLElement>('tbody > [role=row]')];
      if (step === 0) {
        if (document.activeElement?.matches(`${TABLE} tbody > [role=row]`)) findOpener(document.activeElement)?.click();
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

const findOpener = (row: Element): HTMLElement | null => row.querySelector('a') ?? row.querySelector('button');
