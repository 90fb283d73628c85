import { defineDomain } from '../../domain.ts';
import { crashEvents } from './crashes.events.ts';
import { crashJobs } from './crashes.jobs.ts';
import { crashesTables } from './crashes.tables.ts';

export { crashGroupCreated, crashGroupRegressed } from './crashes.events.ts';

export const crashes = defineDomain({
  tables: crashesTables,
  jobs: crashJobs,
  events: crashEvents,
});
