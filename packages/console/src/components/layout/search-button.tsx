import { Kbd, UnstyledButton } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import classes from './search-button.module.css';

const load = () => import('../palette/command-palette.tsx');
const CommandPalette = lazy(load);

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Preloads the palette after the page, so that users can type immediately. */
function loadSoon(): () => void {
  const timer = setTimeout(() => void load().catch(() => undefined), 2000);
  return () => clearTimeout(timer);
}

/** Opens the command palette, as do Ctrl+K everywhere and "/" outside of text fields. */
export function SearchButton() {
  // The text that the palette starts with; closed if undefined.
  const [text, setText] = useState<string>();
  const open = () => setText('');
  useEffect(loadSoon, []);
  useHotkeys([['mod+K', open]], []);
  useHotkeys([
    ['/', open],
    ['shift+?', () => setText('?')],
  ]);
  return (
    <>
      <UnstyledButton
        className={classes.button}
        onClick={open}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K /"
      >
        <IconSearch size={16} stroke={1.6} aria-hidden />
        <span className={classes.label}>Search</span>
        <Kbd size="xs" className={classes.key} aria-hidden>
          {isApple ? '⌘ K' : 'Ctrl K'}
        </Kbd>
      </UnstyledButton>
      {text !== undefined && (
        <Suspense>
          <CommandPalette first={text} onClose={() => setText(undefined)} />
        </Suspense>
      )}
    </>
  );
}
