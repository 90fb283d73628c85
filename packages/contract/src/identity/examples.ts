import { oauthExamples } from './oauth.examples.ts';
import { oauthProtocolExamples } from './oauth-protocol.examples.ts';

export const examples = { ...oauthExamples, ...oauthProtocolExamples };
