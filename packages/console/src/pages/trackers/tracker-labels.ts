import type { TrackerType } from '@mooring/contract';

export const trackerLabels: Record<TrackerType, string> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  vsts: 'Azure DevOps',
  jira: 'Jira',
};
