import type { eventLevels, eventStatuses, eventTypes } from '@mooring/contract';

export type EventType = (typeof eventTypes)[number];
export type EventStatus = (typeof eventStatuses)[number];
export type EventLevel = (typeof eventLevels)[number];

export const typeLabels: Record<EventType, string> = {
  EmergingIssues: 'Emerging issue',
  HealthAdvisory: 'Health advisory',
  PlannedMaintenance: 'Planned maintenance',
  RCA: 'Root cause analysis',
  SecurityAdvisory: 'Security advisory',
  ServiceIssue: 'Service issue',
};

/** Most severe first. */
export const levelOrder: EventLevel[] = ['Critical', 'Error', 'Warning', 'Informational'];

export const toChoices = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

/** "Storage, Search and 3 more" */
export function shortList(names: string[], max = 2): string {
  const unique = [...new Set(names)];
  if (unique.length <= max + 1) return unique.join(', ') || '—';
  return `${unique.slice(0, max).join(', ')} and ${(unique.length - max).toLocaleString()} more`;
}
