import { type CSSVariablesResolver, createTheme, localStorageColorSchemeManager } from '@mantine/core';
import { chartVariables } from './palette.ts';
import { fontSizes, spacing } from './scales.ts';

export const colorSchemeManager = localStorageColorSchemeManager({ key: 'mooring-color-scheme' });

const list = {
  defaultProps: { withScrollArea: false },
  styles: { options: { maxHeight: 240, overflowY: 'auto' as const } },
};

export const theme = createTheme({
  primaryColor: 'harbor',
  primaryShade: { light: 7, dark: 6 },
  colors: {
    harbor: [
      '#eef5fa',
      '#dbe8f1',
      '#b5d0e3',
      '#8cb7d5',
      '#63a0c8',
      '#438cbb',
      '#2c7aac',
      '#1f6592',
      '#1a4f73',
      '#12324a',
    ],
    dark: [
      '#e1e7ec',
      '#bcc6ce',
      '#9aa6b0',
      '#6b7781',
      '#36414a',
      '#2e3740',
      '#242b32',
      '#1b2127',
      '#13181c',
      '#0d1114',
    ],
  },
  fontFamily: '"Geist Variable", "Geist Fallback", system-ui, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  fontSizes,
  spacing,
  headings: { fontWeight: '650' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Badge: { defaultProps: { variant: 'light', tt: 'none', miw: 'max-content' } },
    // Optional fields are labeled as such, so required fields need no asterisk.
    InputWrapper: { defaultProps: { withAsterisk: false } },
    // Lists scroll natively: Mantine's scroll area can't be reached by keyboard.
    Select: list,
    Autocomplete: list,
    MultiSelect: list,
    TagsInput: list,
    // Overlays need their own landmark.
    Portal: { defaultProps: { target: '#overlays' } },
    // Mantine puts an element before the first entry that a menu may not contain.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Modal: {
      defaultProps: {
        centered: true,
        transitionProps: { duration: 0 },
        overlayProps: { backgroundOpacity: 0.45 },
        closeButtonProps: { 'aria-label': 'Close dialog' },
      },
      styles: { title: { fontSize: 'var(--mantine-font-size-lg)', fontWeight: 650 } },
    },
  },
});

/** A tint for dark pages: Mantine's own have too little or too much contrast. */
const tint = (color: string, background: string, text: string) => ({
  [`--mantine-color-${color}-light`]: background,
  [`--mantine-color-${color}-light-hover`]: background,
  [`--mantine-color-${color}-light-color`]: text,
});

/** Colors of health event levels; all contrast with their background. */
const levels = (none: string, critical: string, error: string, warning: string, informational: string) => ({
  '--level-none': none,
  '--level-critical': critical,
  '--level-error': error,
  '--level-warning': warning,
  '--level-informational': informational,
});

/** White text is hard to read on Mantine's red. */
const danger = { '--mantine-color-red-filled': '#c92a2a', '--mantine-color-red-filled-hover': '#b02323' };

export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--page': '#f5f7f9',
    '--shaded': '#fafbfc',
    '--badge': '#dde4ea',
    '--healthy': '#2b8a3e',
    // Mantine's own colors have too little contrast.
    '--mantine-color-dimmed': '#5b6873',
    '--mantine-color-placeholder': '#5b6873',
    '--mantine-color-yellow-light-color': '#855600',
    '--mantine-color-red-light-color': '#c92a2a',
    '--mantine-color-green-light-color': '#1f6e33',
    '--mantine-color-blue-light-color': '#1760a5',
    '--mantine-color-error': '#c92a2a',
    ...chartVariables('light'),
    ...danger,
    ...levels('#eceff2', '#a3173f', '#d9480f', '#a37500', '#2c7aac'),
  },
  dark: {
    '--page': 'var(--mantine-color-dark-8)',
    '--shaded': 'var(--mantine-color-dark-6)',
    '--badge': 'var(--mantine-color-dark-4)',
    '--healthy': '#51cf66',
    '--mantine-color-dimmed': 'var(--mantine-color-dark-2)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-2)',
    '--mantine-color-error': '#ff8787',
    ...chartVariables('dark'),
    ...danger,
    ...levels('#2b343c', '#ff5c7a', '#ff922b', '#ffd43b', '#74b6e0'),
    ...tint('harbor', 'rgb(67 140 187 / 20%)', '#9ec9e6'),
    ...tint('gray', 'rgb(154 166 176 / 16%)', '#c7d0d8'),
    ...tint('red', 'rgb(250 82 82 / 16%)', '#ffa8a8'),
    ...tint('yellow', 'rgb(250 176 5 / 14%)', '#ffd76a'),
    ...tint('green', 'rgb(64 192 87 / 16%)', '#8ce99a'),
    ...tint('blue', 'rgb(34 139 230 / 20%)', '#a5d8ff'),
  },
});
