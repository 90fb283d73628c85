import { sentryCliExamples } from './sentry-cli.examples.ts';
import { sentryReleasesExamples } from './sentry-releases.examples.ts';
import { symbolsExamples } from './symbols.examples.ts';

export const examples = { ...symbolsExamples, ...sentryCliExamples, ...sentryReleasesExamples };
