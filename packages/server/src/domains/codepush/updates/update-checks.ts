import type { Deps } from '../../../context.ts';
import { badRequest } from '../../../kernel/errors.ts';
import { findByKey, unknownKey } from '../deployments/deployment-keys.ts';
import { packageUrl } from '../packages/packages.ts';
import { type Release, readHistory } from '../releases/releases.ts';
import { readVersion } from './binary-versions.ts';
import { EVERYBODY, isInRollout } from './rollout.ts';
import { chooseUpdate, type UpdateDecision } from './selection.ts';

export interface UpdateCheck {
  key: string;
  /** Binary version as sent. */
  version: string;
  label: string;
  packageHash: string;
  isCompanion: boolean;
  deviceId: string | undefined;
}

/** The response to a device, independent of the SDK version. */
export interface UpdateInfo {
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

type Write = (update: UpdateInfo) => object;

const nothing: UpdateInfo = {
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

/** `base` is the origin of the package URL, see `getResponseUrl`. */
export function toUpdateInfo(base: string, check: UpdateCheck, decision: UpdateDecision<Release>): UpdateInfo {
  if (decision.reason !== 'update') {
    const { range = '', needsNewerBinary, shouldRunBinary } = decision;
    return { ...nothing, range, needsNewerBinary, shouldRunBinary };
  }
  const { release, isMandatory } = decision;
  const { id, size } = release.diffs.get(check.packageHash) ?? { id: release.packageId, size: release.size };
  return {
    ...nothing,
    isAvailable: true,
    url: packageUrl(base, id),
    packageHash: release.packageHash,
    label: release.label,
    // Older plugins expect a version instead of a range; with a range they would never install an update.
    range: check.version,
    size,
    isMandatory,
    description: release.description,
    rollout: release.rollout ?? EVERYBODY,
  };
}

/** The version in three parts; throws if it is not a version. */
export function parseBinaryVersion({ version }: Pick<UpdateCheck, 'version'>): string {
  const read = readVersion(version);
  if (read === undefined)
    throw badRequest(`"${version.slice(0, 100)}" is not a valid binary version. Use a version such as 1.2.0.`);
  return read;
}

/** A serialized response for all devices, and one for devices in a rollout. */
interface CachedResponse {
  everybody: string;
  some?: { text: string; label: string; rollout: number };
}

/** Cached state of a deployment. Valid until one of the versions changes or the key expires. */
interface Known {
  key: string;
  id: string;
  version: number;
  endsAt: number;
  grants: number;
  responses: number;
  cached: Map<string, CachedResponse>;
  /** Characters of the cached responses. */
  size: number;
}

const MAX_KNOWN = 200_000;
/** Maximum characters in the cache, for all deployments and per deployment: clients control the text of requests. */
const MAX_SIZE = 32 * 2 ** 20;
const MAX_DEPLOYMENT_SIZE = 512 * 1024;
/** SDKs send far fewer characters; the response to a longer request is not cached. */
const MAX_CACHE_KEY_LENGTH = 500;
/** Estimated memory of a response besides its texts. */
const OVERHEAD = 200;

const measure = (cacheKey: string, { everybody, some }: CachedResponse): number =>
  cacheKey.length + everybody.length + (some ? some.text.length + some.label.length : 0) + OVERHEAD;

/**
 * Answers update checks. Caches each response until its deployment changes, and decides per device between the two variants.
 * `write` formats a response for an SDK.
 */
export function createUpdateChecks(
  deps: Deps,
  write: Write,
  maxSize = MAX_SIZE,
): (check: UpdateCheck, base: string) => Promise<string> {
  const known = new Map<string, Known>();
  let size = 0;

  function evict(one: Known | undefined): void {
    if (!one) return;
    size -= one.size;
    one.size = 0;
    one.cached.clear();
  }

  function store(one: Known, cacheKey: string, response: CachedResponse): void {
    // Another request has loaded a newer state of the deployment.
    if (cacheKey.length > MAX_CACHE_KEY_LENGTH || known.get(one.key) !== one || one.cached.has(cacheKey)) return;
    const own = measure(cacheKey, response);
    if (one.size + own > MAX_DEPLOYMENT_SIZE) evict(one);
    if (size + own > maxSize) {
      for (const other of known.values()) evict(other);
    }
    one.cached.set(cacheKey, response);
    one.size += own;
    size += own;
  }

  async function find(key: string): Promise<Known> {
    const { grants, responses } = await deps.versionsNow();
    const found = known.get(key);
    if (found?.responses === responses && found.grants === grants && found.endsAt > deps.clock.now()) return found;
    const row = await findByKey(deps, key);
    if (!row) {
      evict(found);
      known.delete(key);
      throw unknownKey();
    }
    const { id, version, endsAt } = row;
    if (found?.id === id && found.version === version && found.endsAt === endsAt) {
      found.grants = grants;
      found.responses = responses;
      return found;
    }
    const fresh: Known = { key, id, version, endsAt, grants, responses, cached: new Map(), size: 0 };
    if (known.size >= MAX_KNOWN) {
      known.clear();
      size = 0;
    }
    evict(known.get(key));
    known.set(key, fresh);
    return fresh;
  }

  async function make(id: string, check: UpdateCheck, base: string): Promise<CachedResponse> {
    const { label, packageHash, isCompanion } = check;
    const running = { version: parseBinaryVersion(check), label, packageHash, isCompanion };
    const { everybody, some } = chooseUpdate(await readHistory(deps, id), running);
    const text = (decision: UpdateDecision<Release>): string =>
      JSON.stringify(write(toUpdateInfo(base, check, decision)));
    if (!some) return { everybody: text(everybody) };
    const { label: rolledOut } = some.decision.release;
    return { everybody: text(everybody), some: { text: text(some.decision), label: rolledOut, rollout: some.rollout } };
  }

  return async (check, base) => {
    const { version, label, packageHash, isCompanion, deviceId } = check;
    const found = await find(check.key);
    const cacheKey = `${base}\0${version}\0${label}\0${packageHash}\0${isCompanion}`;
    let response = found.cached.get(cacheKey);
    if (!response) {
      response = await make(found.id, check, base);
      store(found, cacheKey, response);
    }
    const { everybody, some } = response;
    return some && isInRollout(deviceId, some.label, some.rollout) ? some.text : everybody;
  };
}
