import Type from 'typebox';
import { defineEvent } from '../../jobs/index.ts';

const what = { appId: Type.String(), issueId: Type.String(), groupId: Type.String() };

/** A problem was seen for the first time in a version and build; `isNewIssue` if it was never seen before at all. */
export const crashGroupCreated = defineEvent(
  'crash_group.created',
  Type.Object({ ...what, isNewIssue: Type.Boolean() }),
);

/** A problem that was closed came back in a newer version. */
export const crashGroupRegressed = defineEvent(
  'crash_group.regressed',
  Type.Object({ ...what, closedVersion: Type.String(), version: Type.String() }),
);

export const crashEvents = [crashGroupCreated, crashGroupRegressed];
