import { blocksExamples } from './blocks.examples.ts';
import { ingestionExamples } from './ingestion.examples.ts';
import { logsExamples } from './logs.examples.ts';

export const ingestExamples = { ...blocksExamples, ...ingestionExamples, ...logsExamples };
