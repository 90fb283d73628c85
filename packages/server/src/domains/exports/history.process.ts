import { serialize } from 'node:v8';
import { answerQuestions } from '../../workers/answer-questions.ts';
import { type HistoryQuestion, readRecords } from './history-work.ts';

/** Batches of one chunk: the server reads a chunk without a pause. */
const MAX_CHUNK = 200;

/** Each chunk is serialized by itself, so that the server never reads all of them in one go. */
answerQuestions(async (question: HistoryQuestion) => {
  const received = await readRecords(question);
  const chunks: Buffer[] = [];
  for (let at = 0; at < received.length; at += MAX_CHUNK) chunks.push(serialize(received.slice(at, at + MAX_CHUNK)));
  return chunks;
});
