import { Type } from '@mooring/contract';
import { defineEvent } from '../../jobs/index.ts';

/** A user opened, closed or ignored an issue. Not sent to webhooks, which receive crashes but not triage. */
export const issueChanged = defineEvent(
  'crash_issue.changed',
  Type.Object({
    appId: Type.String(),
    /** One group of the issue. */
    groupId: Type.String(),
  }),
);

export const crashEvents = [issueChanged];
