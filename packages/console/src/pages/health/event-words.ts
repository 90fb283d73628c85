import type { eventLevels, eventStatuses, eventTypes } from '@mooring/contract';

export type EventType = (typeof eventTypes)[number];
export type EventStatus = (typeof eventStatuses)[number];
export type EventLevel = (typeof eventLevels)[number];

export const typeWords: Record<EventType, string> = {
  EmergingIssues: 'Emerging issue',
  HealthAdvisory: 'Health advisory',
  PlannedMaintenance: 'Planned maintenance',
  RCA: 'Root cause analysis',
  SecurityAdvisory: 'Security advisory',
  ServiceIssue: 'Service issue',
};

/** Worst first. */
export const levelOrder: EventLevel[] = ['Critical', 'Error', 'Warning', 'Informational'];

export const choicesOf = (words: Record<string, string>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }));

/** "Mail, Search and 3 more" */
export function shortList(names: string[], most = 2): string {
  const unique = [...new Set(names)];
  if (unique.length <= most + 1) return unique.join(', ') || '—';
  return `${unique.slice(0, most).join(', ')} and ${(unique.length - most).toLocaleString()} more`;
}
