import { gzipSync } from 'node:zlib';
import { answerQuestions } from '../../workers/answer-questions.ts';
import { type ResultsQuestion, resultsWork } from './results-work.ts';

const FASTEST = 1;

/** Text goes back compressed: the server keeps and sends it without holding all of it. */
function pack(answer: unknown): unknown {
  const { text, ...rest } = (answer ?? {}) as { text?: string };
  return text === undefined ? answer : { ...rest, text: gzipSync(text, { level: FASTEST }) };
}

answerQuestions(({ name, input }: ResultsQuestion) => pack((resultsWork[name] as (input: unknown) => unknown)(input)));
