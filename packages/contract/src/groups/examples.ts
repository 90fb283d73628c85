import { groupMembersExamples } from './group-members.examples.ts';
import { groupsExamples as ownExamples } from './groups.examples.ts';

export const examples = { ...groupMembersExamples, ...ownExamples };
