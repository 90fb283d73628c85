import { blocksExamples } from './blocks.examples.ts';
import { envelopesExamples } from './envelopes.examples.ts';
import { ingestionExamples } from './ingestion.examples.ts';
import { logsExamples } from './logs.examples.ts';

export const examples = { ...blocksExamples, ...envelopesExamples, ...ingestionExamples, ...logsExamples };
