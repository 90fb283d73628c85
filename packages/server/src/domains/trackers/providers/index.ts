import type { TrackerType } from '@mooring/contract';
import { azureDevOps } from './azure-devops.ts';
import { github } from './github.ts';
import { gitlab } from './gitlab.ts';
import { jira } from './jira.ts';
import type { Provider } from './provider.ts';

export { type Api, createApi, TrackerRefusal } from './api.ts';
export type { Draft, Provider, Tracker } from './provider.ts';

export const providers: Record<TrackerType, Provider> = { github, gitlab, vsts: azureDevOps, jira };
