/** "2026-11-15 12:30 UTC" */
export const formatMinute = (at: number | string): string =>
  `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
