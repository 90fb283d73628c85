import {
  confirmationsExamples,
  factorRulesExamples,
  groupMappingsExamples,
  identityProvidersExamples,
  passkeysExamples,
  secondFactorExamples,
  signInExamples,
  signInRulesExamples,
} from './sign-in.examples.ts';

export const examples = {
  ...confirmationsExamples,
  ...factorRulesExamples,
  ...passkeysExamples,
  ...identityProvidersExamples,
  ...groupMappingsExamples,
  ...signInExamples,
  ...signInRulesExamples,
  ...secondFactorExamples,
};
