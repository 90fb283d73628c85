import { badRequest } from '../../kernel/errors.ts';

/** What a push did to one branch. */
export interface Push {
  branch: string;
  sha: string;
  /** Of its newest commit, where the host tells it. */
  message?: string | undefined;
}

type Fields = Record<string, unknown>;

const MOST = 100;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.slice(0, 1000).map(fieldsOf) : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

interface Told {
  ref: unknown;
  sha: unknown;
  message?: unknown;
}

/** Branches only: tags and deletions are nothing to build. */
function toPush({ ref, sha, message }: Told): Push[] {
  const branch = /^refs\/heads\/(.{1,250})$/.exec(textOf(ref))?.[1];
  const commit = textOf(sha).toLowerCase();
  if (!branch || !/^[0-9a-f]{40}$/.test(commit) || /^0+$/.test(commit)) return [];
  return [{ branch, sha: commit, message: typeof message === 'string' ? message.slice(0, 10_000) : undefined }];
}

const messageOf = (commits: Fields[], sha: unknown): unknown =>
  commits.find((commit) => commit.id === sha || commit.commitId === sha)?.message ??
  commits.find((commit) => commit.commitId === sha)?.comment;

/** GitHub, GitLab, Gitea: one branch a message. */
const ofRef = (told: Fields): Push[] =>
  toPush({
    ref: told.ref,
    sha: told.after,
    message: fieldsOf(told.head_commit).message ?? messageOf(listOf(told.commits), told.after),
  });

/** Bitbucket in the cloud: what each branch is now. */
const ofChanges = (told: Fields): Push[] =>
  listOf(fieldsOf(told.push).changes).flatMap((change) => {
    const now = fieldsOf(change.new);
    const target = fieldsOf(now.target);
    if (now.type !== 'branch') return [];
    return toPush({ ref: `refs/heads/${textOf(now.name)}`, sha: target.hash, message: target.message });
  });

/** Bitbucket on a server of one's own. */
const ofRefChanges = (told: Fields): Push[] =>
  listOf(told.changes).flatMap((change) => toPush({ ref: fieldsOf(change.ref).id, sha: change.toHash }));

/** Azure DevOps. */
const ofResource = (told: Fields): Push[] => {
  const resource = fieldsOf(told.resource);
  const commits = listOf(resource.commits);
  return listOf(resource.refUpdates).flatMap(({ name, newObjectId }) =>
    toPush({ ref: name, sha: newObjectId, message: messageOf(commits, newObjectId) }),
  );
};

function ofJson(text: string): Push[] {
  let told: Fields;
  try {
    told = fieldsOf(JSON.parse(text));
  } catch {
    throw badRequest('The body is no JSON; set the content type of the webhook to application/json.');
  }
  if ('ref' in told) return ofRef(told);
  if ('push' in told) return ofChanges(told);
  if ('changes' in told) return ofRefChanges(told);
  // A ping, or an event that is no push.
  return 'resource' in told ? ofResource(told) : [];
}

/** What git gives to a hook: `old new ref`, line by line. */
const ofLines = (text: string): Push[] =>
  text.split('\n').flatMap((line) => {
    const [, sha, ref] = line.trim().split(/\s+/, 3);
    return toPush({ ref, sha });
  });

/** The branches that a message of a git host is about, however it is sent; of several pushes of one branch the last. */
export function readPushes(text: string): Push[] {
  const isForm = text.startsWith('payload=');
  const json = isForm ? (new URLSearchParams(text).get('payload') ?? '') : text;
  const pushes = /^[0-9a-f]{40}\s/.test(text) ? ofLines(text) : ofJson(json);
  return [...new Map(pushes.map((push) => [push.branch, push])).values()].slice(0, MOST);
}

/** Whoever commits may say that it is not worth a build. */
export const isSkipped = ({ message = '' }: Push): boolean => /\[(skip ci|ci skip)\]/i.test(message);
