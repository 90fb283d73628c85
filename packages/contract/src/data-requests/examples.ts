import { dataRequestsExamples as ofAccounts } from './data-requests.examples.ts';
import { senderRequestsExamples } from './sender-requests.examples.ts';

export const dataRequestsExamples = { ...ofAccounts, ...senderRequestsExamples };
