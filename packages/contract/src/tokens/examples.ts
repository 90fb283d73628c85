import { apiTokensExamples } from './api-tokens.examples.ts';
import { ciRulesExamples } from './ci-rules.examples.ts';

export const examples = { ...apiTokensExamples, ...ciRulesExamples };
