/** How many rows the cards of an app's overview have room for, from the moment on that the page is there. */
export const SHOWN = 3;

/** What the card of the latest version tells, so that its labels stand there before its figures do. */
export const versionLabels = [
  'Latest release',
  'Devices that run it',
  'Crash-free devices',
  'Crash-free sessions',
] as const;
