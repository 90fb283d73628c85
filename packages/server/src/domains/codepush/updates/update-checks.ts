import type { Deps } from '../../../context.ts';
import { badRequest } from '../../../kernel/errors.ts';
import { findByKey, unknownKey } from '../deployments/deployment-keys.ts';
import { packageUrl } from '../packages/packages.ts';
import { type Release, readHistory } from '../releases/releases.ts';
import { readVersion } from './binary-versions.ts';
import { EVERYBODY, isInRollout } from './rollout.ts';
import { type Answer, chooseUpdate } from './selection.ts';

/** What a device asks. */
export interface Question {
  key: string;
  /** As it says it. */
  version: string;
  label: string;
  packageHash: string;
  isCompanion: boolean;
  deviceId: string | undefined;
}

/** What a device is told, in no dialect yet. */
export interface Told {
  isAvailable: boolean;
  url: string;
  packageHash: string;
  label: string;
  range: string;
  size: number;
  isMandatory: boolean;
  description: string;
  needsNewerBinary: boolean;
  shouldRunBinary: boolean;
  rollout: number | undefined;
}

type Write = (told: Told) => object;

const nothing: Told = {
  isAvailable: false,
  url: '',
  packageHash: '',
  label: '',
  range: '',
  size: 0,
  isMandatory: false,
  description: '',
  needsNewerBinary: false,
  shouldRunBinary: false,
  rollout: undefined,
};

/** `base` is the origin of the package, see `answerUrl`. */
export function tell(base: string, question: Question, answer: Answer<Release>): Told {
  if (answer.reason !== 'update') {
    const { range = '', needsNewerBinary, shouldRunBinary } = answer;
    return { ...nothing, range, needsNewerBinary, shouldRunBinary };
  }
  const { release, isMandatory } = answer;
  const { id, size } = release.diffs.get(question.packageHash) ?? { id: release.packageId, size: release.size };
  return {
    ...nothing,
    isAvailable: true,
    url: packageUrl(base, id),
    packageHash: release.packageHash,
    label: release.label,
    // NOTE: older plugins take a version here, no range: they would never install anything.
    range: question.version,
    size,
    isMandatory,
    description: release.description,
    rollout: release.rollout ?? EVERYBODY,
  };
}

/** The version in three parts; throws if it is none. */
export function versionOf({ version }: Pick<Question, 'version'>): string {
  const read = readVersion(version);
  if (read === undefined)
    throw badRequest(`"${version.slice(0, 100)}" is no version of a binary; it should be such as 1.2.0.`);
  return read;
}

/** The answer to one question, written: for everybody, and for those in a rollout. */
interface Kept {
  everybody: string;
  some?: { text: string; label: string; rollout: number };
}

/** What is remembered of a deployment, as long as both versions stand still, or its own does, and its key counts. */
interface Known {
  key: string;
  id: string;
  version: number;
  endsAt: number;
  grants: number;
  responses: number;
  answers: Map<string, Kept>;
  /** Characters of the answers. */
  size: number;
}

const MOST_KNOWN = 200_000;
/** Cached characters of all deployments, and of one: a client chooses the text of its request, up to the length of a URL. */
const MAX_SIZE = 32 * 2 ** 20;
const MAX_DEPLOYMENT_SIZE = 512 * 1024;
/** SDKs send far fewer characters; the response to a longer request is not cached. */
const MAX_QUESTION = 500;
/** An answer takes this much beside its texts. */
const OVERHEAD = 200;

const measure = (question: string, { everybody, some }: Kept): number =>
  question.length + everybody.length + (some ? some.text.length + some.label.length : 0) + OVERHEAD;

/**
 * Answers devices. An answer is made once and kept until its deployment changes; which of two a device gets is decided each
 * time. `write` puts it into the words of an SDK.
 */
export function createUpdateChecks(
  deps: Deps,
  write: Write,
  maxSize = MAX_SIZE,
): (question: Question, base: string) => Promise<string> {
  const known = new Map<string, Known>();
  let size = 0;

  function forget(one: Known | undefined): void {
    if (!one) return;
    size -= one.size;
    one.size = 0;
    one.answers.clear();
  }

  function keep(one: Known, question: string, answer: Kept): void {
    // Another request has put a new state of its deployment in its place.
    if (question.length > MAX_QUESTION || known.get(one.key) !== one || one.answers.has(question)) return;
    const own = measure(question, answer);
    if (one.size + own > MAX_DEPLOYMENT_SIZE) forget(one);
    if (size + own > maxSize) {
      for (const other of known.values()) forget(other);
    }
    one.answers.set(question, answer);
    one.size += own;
    size += own;
  }

  async function find(key: string): Promise<Known> {
    const { grants, responses } = await deps.versionsNow();
    const found = known.get(key);
    if (found?.responses === responses && found.grants === grants && found.endsAt > deps.clock.now()) return found;
    const row = await findByKey(deps, key);
    if (!row) {
      forget(found);
      known.delete(key);
      throw unknownKey();
    }
    const { id, version, endsAt } = row;
    if (found?.id === id && found.version === version && found.endsAt === endsAt) {
      found.grants = grants;
      found.responses = responses;
      return found;
    }
    const fresh: Known = { key, id, version, endsAt, grants, responses, answers: new Map(), size: 0 };
    if (known.size >= MOST_KNOWN) {
      known.clear();
      size = 0;
    }
    forget(known.get(key));
    known.set(key, fresh);
    return fresh;
  }

  async function make(id: string, question: Question, base: string): Promise<Kept> {
    const { label, packageHash, isCompanion } = question;
    const running = { version: versionOf(question), label, packageHash, isCompanion };
    const { everybody, some } = chooseUpdate(await readHistory(deps, id), running);
    const text = (answer: Answer<Release>): string => JSON.stringify(write(tell(base, question, answer)));
    if (!some) return { everybody: text(everybody) };
    const { label: rolledOut } = some.answer.release;
    return { everybody: text(everybody), some: { text: text(some.answer), label: rolledOut, rollout: some.rollout } };
  }

  return async (question, base) => {
    const { version, label, packageHash, isCompanion, deviceId } = question;
    const found = await find(question.key);
    const asked = `${base}\0${version}\0${label}\0${packageHash}\0${isCompanion}`;
    let answer = found.answers.get(asked);
    if (!answer) {
      answer = await make(found.id, question, base);
      keep(found, asked, answer);
    }
    const { everybody, some } = answer;
    return some && isInRollout(deviceId, some.label, some.rollout) ? some.text : everybody;
  };
}
