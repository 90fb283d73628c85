import { sha256 } from '../../kernel/crypto.ts';
import { createTextCache } from '../../kernel/text-cache.ts';
import { type Answer, daysOf, type Question } from '../../telemetry/index.ts';
import { listParts, listPartsOf, type StoredPart } from './parts/parts.ts';
import { askParts } from './parts/reading.ts';

/** Answers are remembered by what was asked and which parts it was read from: those never change. */
const remembered = createTextCache(16 * 2 ** 20);
const MOST_CHARACTERS = 32_768;

type AskingDeps = Parameters<typeof askParts>[0];

/** Asks what counts telemetry about an app. */
export const ask = async <Q extends Question>(ctx: AskingDeps, appId: string, question: Q): Promise<Answer<Q['ask']>> =>
  askKnown(ctx, appId, await listParts(ctx, appId, daysOf(question)), question);

/** Asks the same about several apps, of those that have anything on these days. */
export async function askEach<Q extends Question>(
  ctx: AskingDeps,
  appIds: readonly string[],
  question: Q,
): Promise<Map<string, Answer<Q['ask']>>> {
  const answers = new Map<string, Answer<Q['ask']>>();
  for (const [appId, parts] of await listPartsOf(ctx, appIds, daysOf(question))) {
    answers.set(appId, await askKnown(ctx, appId, parts, question));
  }
  return answers;
}

async function askKnown<Q extends Question>(
  ctx: AskingDeps,
  appId: string,
  parts: readonly StoredPart[],
  question: Q,
): Promise<Answer<Q['ask']>> {
  const key = sha256(JSON.stringify([appId, question, parts.map(({ id, forgotten }) => [id, forgotten])]));
  const known = remembered.get(key);
  if (known !== undefined) return JSON.parse(known);
  const answer = await askParts(ctx, parts, question);
  const text = JSON.stringify(answer);
  if (text.length <= MOST_CHARACTERS) remembered.set(key, text);
  return answer;
}
