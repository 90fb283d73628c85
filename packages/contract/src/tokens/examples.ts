import { apiTokensExamples } from './api-tokens.examples.ts';

export const tokensExamples = { ...apiTokensExamples };
