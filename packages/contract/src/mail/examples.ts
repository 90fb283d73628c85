import { mailsExamples } from './mails.examples.ts';

export const mailExamples = { ...mailsExamples };
