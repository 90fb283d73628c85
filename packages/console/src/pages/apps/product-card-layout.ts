/** Rows that the overview cards reserve space for. */
export const VISIBLE_ROWS = 3;

/** Labels of the latest version's figures, shown while the figures load. */
export const versionLabels = ['Latest release', 'Adoption', 'Crash-free devices', 'Crash-free sessions'] as const;
