/** The fields of an event that determine its rank. */
export interface RankedEvent {
  eventType: 'ServiceIssue' | 'EmergingIssues' | 'PlannedMaintenance' | 'HealthAdvisory' | 'RCA' | 'SecurityAdvisory';
  eventLevel?: 'Critical' | 'Error' | 'Warning' | 'Informational';
  level?: 'Critical' | 'Warning';
  status: 'Active' | 'Resolved';
}

const typeRanks = {
  ServiceIssue: 0,
  EmergingIssues: 0,
  PlannedMaintenance: 1,
  HealthAdvisory: 2,
  RCA: 2,
  SecurityAdvisory: 2,
} as const;
const levelRanks = { Critical: 0, Error: 1, Warning: 2, Informational: 3 } as const;
const statusRanks = { Active: 0, Resolved: 1 } as const;

/** 0 (most urgent) to 23: first by type, then by level, then by status. */
export const getPriority = ({ eventType, eventLevel, level, status }: RankedEvent): number =>
  8 * typeRanks[eventType] + 2 * levelRanks[eventLevel ?? level ?? 'Informational'] + statusRanks[status];
