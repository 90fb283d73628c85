import { dataRequestsExamples as ofAccounts } from './data-requests.examples.ts';
import { subjectRequestsExamples } from './subject-requests.examples.ts';

export const examples = { ...ofAccounts, ...subjectRequestsExamples };
