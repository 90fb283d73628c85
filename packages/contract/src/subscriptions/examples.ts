import { azureSubscriptionsExamples } from './azure-subscriptions.examples.ts';
import { subscriptionsExamples as ownExamples } from './subscriptions.examples.ts';

export const examples = { ...azureSubscriptionsExamples, ...ownExamples };
