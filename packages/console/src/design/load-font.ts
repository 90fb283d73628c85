const FONT_LOADED = 'mooring-font';

const load = () =>
  import('./font.ts').then(
    () => localStorage.setItem(FONT_LOADED, 'true'),
    // The console works with another font.
    () => undefined,
  );

/** The first visit loads the font after everything else; later ones find it in the browser's cache. */
export function loadFont(): void {
  if (localStorage.getItem(FONT_LOADED)) void load();
  else window.addEventListener('load', () => setTimeout(load, 2000));
}
