import { oauthExamples } from './oauth.examples.ts';

export const identityExamples = { ...oauthExamples };
