import { apiTokensExamples } from './api-tokens.examples.ts';

export const examples = { ...apiTokensExamples };
