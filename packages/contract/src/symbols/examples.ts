import { sentryCliExamples } from './sentry-cli.examples.ts';
import { symbolsExamples } from './symbols.examples.ts';

export const examples = { ...symbolsExamples, ...sentryCliExamples };
