import { badRequest } from '../../../kernel/errors.ts';
import { parseJson } from '../../../kernel/text/json.ts';

/** A pushed branch and its newest commit. */
export interface Push {
  branch: string;
  sha: string;
  /** Message of the newest commit, if the host sends it. */
  message?: string | undefined;
}

type Fields = Record<string, unknown>;

const MAX_PUSHES = 100;

const toFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const toList = (value: unknown): Fields[] => (Array.isArray(value) ? value.slice(0, 1000).map(toFields) : []);
const toText = (value: unknown): string => (typeof value === 'string' ? value : '');

interface ParsedPush {
  ref: unknown;
  sha: unknown;
  message?: unknown;
}

/** Branches only: ignores tags and deletions. */
function toPush({ ref, sha, message }: ParsedPush): Push[] {
  const branch = /^refs\/heads\/(.{1,250})$/.exec(toText(ref))?.[1];
  const commit = toText(sha).toLowerCase();
  if (!branch || !/^[0-9a-f]{40}$/.test(commit) || /^0+$/.test(commit)) return [];
  return [{ branch, sha: commit, message: typeof message === 'string' ? message.slice(0, 10_000) : undefined }];
}

const findMessage = (commits: Fields[], sha: unknown): unknown =>
  commits.find((commit) => commit.id === sha || commit.commitId === sha)?.message ??
  commits.find((commit) => commit.commitId === sha)?.comment;

/** GitHub, GitLab and Gitea send one branch per message. */
const ofRef = (payload: Fields): Push[] =>
  toPush({
    ref: payload.ref,
    sha: payload.after,
    message: toFields(payload.head_commit).message ?? findMessage(toList(payload.commits), payload.after),
  });

/** Bitbucket Cloud sends the new state of each branch. */
const ofChanges = (payload: Fields): Push[] =>
  toList(toFields(payload.push).changes).flatMap((change) => {
    const now = toFields(change.new);
    const target = toFields(now.target);
    if (now.type !== 'branch') return [];
    return toPush({ ref: `refs/heads/${toText(now.name)}`, sha: target.hash, message: target.message });
  });

/** Bitbucket Data Center. */
const ofRefChanges = (payload: Fields): Push[] =>
  toList(payload.changes).flatMap((change) => toPush({ ref: toFields(change.ref).id, sha: change.toHash }));

/** Azure DevOps. */
const ofResource = (payload: Fields): Push[] => {
  const resource = toFields(payload.resource);
  const commits = toList(resource.commits);
  return toList(resource.refUpdates).flatMap(({ name, newObjectId }) =>
    toPush({ ref: name, sha: newObjectId, message: findMessage(commits, newObjectId) }),
  );
};

function ofJson(text: string): Push[] {
  let payload: Fields;
  try {
    payload = toFields(parseJson(text));
  } catch {
    throw badRequest('The body is not JSON. Set the content type of the webhook to application/json.');
  }
  if ('ref' in payload) return ofRef(payload);
  if ('push' in payload) return ofChanges(payload);
  if ('changes' in payload) return ofRefChanges(payload);
  // A ping, or an event other than a push.
  return 'resource' in payload ? ofResource(payload) : [];
}

/** Input of a git hook: `old new ref` per line. */
const ofLines = (text: string): Push[] =>
  text.split('\n').flatMap((line) => {
    const [, sha, ref] = line.trim().split(/\s+/, 3);
    return toPush({ ref, sha });
  });

/** The branches in a message of any git host; for several pushes of a branch, the last. */
export function readPushes(text: string): Push[] {
  const isForm = text.startsWith('payload=');
  const json = isForm ? (new URLSearchParams(text).get('payload') ?? '') : text;
  const pushes = /^[0-9a-f]{40}\s/.test(text) ? ofLines(text) : ofJson(json);
  return [...new Map(pushes.map((push) => [push.branch, push])).values()].slice(0, MAX_PUSHES);
}

/** Commit messages can skip the build. */
export const isSkipped = ({ message = '' }: Push): boolean => /\[(skip ci|ci skip)\]/i.test(message);
