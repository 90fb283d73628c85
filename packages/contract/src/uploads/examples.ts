import { downloadsExamples } from './downloads.examples.ts';
import { uploadsExamples } from './uploads.examples.ts';

export const examples = { ...downloadsExamples, ...uploadsExamples };
