import { deviceSignInsExamples } from './device-sign-ins.examples.ts';
import { oauthExamples } from './oauth.examples.ts';
import { oauthProtocolExamples } from './oauth-protocol.examples.ts';

export const examples = { ...deviceSignInsExamples, ...oauthExamples, ...oauthProtocolExamples };
