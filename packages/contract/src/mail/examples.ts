import { mailsExamples } from './mails.examples.ts';

export const examples = { ...mailsExamples };
