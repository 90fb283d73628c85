import {
  identityProvidersExamples,
  secondFactorExamples,
  signInExamples,
  signInRulesExamples,
} from './sign-in.examples.ts';

export const examples = {
  ...identityProvidersExamples,
  ...signInExamples,
  ...signInRulesExamples,
  ...secondFactorExamples,
};
