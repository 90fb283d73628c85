import type { Random } from '../../../tools/samples/random.ts';
import { linkMailedTo } from '../../harness/emails.ts';
import type { RunningServer } from '../../harness/server.ts';
import type { Installation } from '../installation.ts';
import { type ToggledKind, toggled, toggledKinds } from './kill-domains.ts';

/**
 * The expected state of a resource after a request: this value, or deleted. Either all changes of a request take effect,
 * or none.
 */
export type Change = [kind: Kind, key: string, value: string | undefined];

export interface Operation {
  method: string;
  path: string;
  body?: object;
  token: string;
  changes: Change[];
  /** The audit event that it must cause. */
  audits: string[];
  /**
   * For requests with several transactions: audit events that may exist before and after the change if it was
   * interrupted.
   */
  cutOff?: { before: string[]; after: string[] };
}

/** The query for each kind of resource: its key and its value. */
const kinds = {
  token: `SELECT description AS key, 'is' AS value FROM api_tokens WHERE description LIKE 'k-%'`,
  app: `SELECT name AS key, coalesce(description, '') AS value FROM apps WHERE name LIKE 'k-%'`,
  invitation: `SELECT email_key AS key, 'is' AS value FROM invitations WHERE email_key LIKE 'k-%'`,
  mail: `SELECT DISTINCT "to" AS key, 'is' AS value FROM mails WHERE "to" LIKE 'k-%'`,
  owner: `SELECT name AS key, 'is' AS value FROM owners WHERE name LIKE 'k-robot%'`,
  account: `SELECT o.name AS key, 'is' AS value FROM users u JOIN owners o ON o.id = u.id WHERE o.name LIKE 'k-robot%'`,
  member: `SELECT o.name AS key, m.role AS value FROM org_members m JOIN owners o ON o.id = m.user_id WHERE o.name LIKE 'k-%'`,
  event: `SELECT name AS key, CAST(revision AS text) AS value FROM health_events WHERE name LIKE 'k-%'`,
  indexEntry: `SELECT DISTINCT name AS key, 'is' AS value FROM health_index WHERE name LIKE 'k-%'`,
  group: `SELECT name AS key, 'is' AS value FROM distribution_groups WHERE name LIKE 'k-%'`,
  groupApp: `SELECT DISTINCT name_key AS key, 'is' AS value FROM distribution_group_apps WHERE name_key LIKE 'k-%'`,
  tester: `SELECT email_key AS key, 'is' AS value FROM distribution_group_invitations WHERE email_key LIKE 'k-%'`,
} as const;
export type Kind = keyof typeof kinds | ToggledKind;

export const thingKey = (kind: Kind, key: string): string => `${kind} ${key}`;

export async function readThings({ rows }: Installation): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const ofDomains = toggledKinds.map((kind) => {
    const { table, key } = toggled[kind];
    return [kind, `SELECT ${key} AS key, 'is' AS value FROM ${table} WHERE ${key} LIKE 'k-%'`] as const;
  });
  for (const [kind, sql] of [...Object.entries(kinds), ...ofDomains]) {
    for (const { key, value } of await rows(sql)) found.set(thingKey(kind as Kind, String(key)), String(value));
  }
  return found;
}

const versioned = (path: string) => `${path}?api-version=2024-02-01`;
const events = '/providers/Vendor.ResourceHealth/events';
const properties = (title: string) => ({
  eventType: 'ServiceIssue',
  title,
  impact: [{ impactedService: 'Mail', impactedRegions: [{ impactedRegion: 'North' }] }],
});
const deleted = undefined;

/** A client that makes one change after another; only this client changes its resources. */
export interface Writer {
  number: number;
  /** An administrator of the server and the organization, and a user with this name. */
  admin: string;
  person: { name: string; email: string; token: string };
  /** The acknowledged state of each resource. */
  things: Map<string, string>;
  chance: Random;
  count: number;
}

/** The installation, and the server that runs on it. */
type Target = Installation & Pick<RunningServer, 'httpUrl'>;

type Make = (writer: Writer, target: Target) => Operation | Promise<Operation | undefined> | undefined;

/** An existing resource of a kind that belongs to the writer. */
function pickThing({ things, chance }: Writer, kind: Kind, like = ''): string | undefined {
  const keys = [...things.keys()].flatMap((key) =>
    key.startsWith(`${kind} ${like}`) ? key.slice(kind.length + 1) : [],
  );
  return keys.length > 0 ? chance.pick(keys) : undefined;
}

const fresh = (writer: Writer, what = '') => `k-${what}${writer.number}-${writer.count}`;

const makers: Record<string, Make> = {
  createToken: (writer) => {
    const description = fresh(writer);
    const changes: Change[] = [['token', description, 'is']];
    const body = { description };
    return {
      method: 'POST',
      path: '/v0.1/api_tokens',
      token: writer.admin,
      body,
      changes,
      audits: ['api_token.create'],
    };
  },
  revokeToken: async (writer, { rows }) => {
    const key = pickThing(writer, 'token');
    if (!key) return undefined;
    const [row] = await rows(`SELECT id FROM api_tokens WHERE description = '${key}'`);
    const path = `/v0.1/api_tokens/${row?.id}`;
    const changes: Change[] = [['token', key, deleted]];
    return { method: 'DELETE', path, token: writer.admin, changes, audits: ['api_token.delete'] };
  },
  createApp: (writer) => {
    const name = fresh(writer);
    const body = { name, display_name: name, os: 'Android', platform: 'Java' };
    const changes: Change[] = [['app', name, '']];
    return { method: 'POST', path: '/v0.1/apps', token: writer.admin, body, changes, audits: ['app.create'] };
  },
  updateApp: (writer) => {
    const key = pickThing(writer, 'app');
    const description = fresh(writer, 'text-');
    const changes: Change[] = [['app', key ?? '', description]];
    const path = `/v0.1/apps/ada/${key}`;
    const body = { description };
    return key ? { method: 'PATCH', path, token: writer.admin, body, changes, audits: ['app.update'] } : undefined;
  },
  deleteApp: (writer) => {
    const key = pickThing(writer, 'app');
    const changes: Change[] = [['app', key ?? '', deleted]];
    const path = `/v0.1/apps/ada/${key}`;
    return key ? { method: 'DELETE', path, token: writer.admin, changes, audits: ['app.delete'] } : undefined;
  },
  invite: (writer) => {
    const email = `${fresh(writer)}@example.org`;
    const changes: Change[] = [
      ['invitation', email, 'is'],
      ['mail', email, 'is'],
    ];
    const path = '/v0.1/orgs/harbour/invitations';
    const body = { user_email: email };
    return { method: 'POST', path, token: writer.admin, body, changes, audits: ['invitation.create'] };
  },
  revokeInvitation: (writer) => {
    const key = pickThing(writer, 'invitation', 'k-');
    if (!key || key === writer.person.email) return undefined;
    const path = `/v0.1/orgs/harbour/invitations/${key}/revoke`;
    const changes: Change[] = [['invitation', key, deleted]];
    return { method: 'POST', path, token: writer.admin, body: {}, changes, audits: ['invitation.revoke'] };
  },
  invitePerson: (writer) => {
    const { person, things } = writer;
    if (things.has(thingKey('member', person.name)) || things.has(thingKey('invitation', person.email)))
      return undefined;
    const changes: Change[] = [
      ['invitation', person.email, 'is'],
      ['mail', person.email, 'is'],
    ];
    const path = '/v0.1/orgs/harbour/invitations';
    const body = { user_email: person.email, role: 'collaborator' };
    return { method: 'POST', path, token: writer.admin, body, changes, audits: ['invitation.create'] };
  },
  join: async (writer, target) => {
    const { person, things } = writer;
    if (!things.has(thingKey('invitation', person.email))) return undefined;
    // The server may be killed meanwhile.
    const link = await linkMailedTo(target, writer.admin, person.email, '/invitations/org/').catch(() => undefined);
    if (link === undefined) return undefined;
    const path = `/v0.1/user/invitations/orgs/${/\w+$/.exec(link)?.[0]}/accept`;
    const changes: Change[] = [
      ['invitation', person.email, deleted],
      ['member', person.name, 'collaborator'],
    ];
    return {
      method: 'POST',
      path,
      token: person.token,
      body: {},
      changes,
      audits: ['invitation.accept', 'org.add_member'],
    };
  },
  changeRole: (writer) => {
    const { person, things } = writer;
    const role = things.get(thingKey('member', person.name));
    if (!role) return undefined;
    const next = role === 'member' ? 'collaborator' : 'member';
    const path = `/v0.1/orgs/harbour/users/${person.name}`;
    const changes: Change[] = [['member', person.name, next]];
    return { method: 'PATCH', path, token: writer.admin, body: { role: next }, changes, audits: ['org.update_member'] };
  },
  leave: (writer) => {
    const { person, things } = writer;
    if (!things.has(thingKey('member', person.name))) return undefined;
    const path = `/v0.1/orgs/harbour/users/${person.name}`;
    const changes: Change[] = [['member', person.name, deleted]];
    return { method: 'DELETE', path, token: person.token, changes, audits: ['org.remove_member'] };
  },
  createAccount: (writer) => {
    const name = fresh(writer, 'robot-');
    const changes: Change[] = [
      ['owner', name, 'is'],
      ['account', name, 'is'],
      ['member', name, 'member'],
    ];
    const path = '/v0.1/orgs/harbour/service_accounts';
    const body = { name, display_name: name, role: 'member' };
    return { method: 'POST', path, token: writer.admin, body, changes, audits: ['service_account.create'] };
  },
  publish: (writer) => {
    const name = fresh(writer);
    const changes: Change[] = [
      ['event', name, '1'],
      ['indexEntry', name, 'is'],
    ];
    const path = versioned(`${events}/${name}`);
    const body = { properties: properties(name) };
    return { method: 'PUT', path, token: writer.admin, body, changes, audits: ['health_event.publish'] };
  },
  changeEvent: (writer) => {
    const key = pickThing(writer, 'event', 'k-');
    if (!key) return undefined;
    const revision = Number(writer.things.get(thingKey('event', key))) + 1;
    const changes: Change[] = [['event', key, String(revision)]];
    const body = { properties: { title: fresh(writer) } };
    const path = versioned(`${events}/${key}`);
    return { method: 'PATCH', path, token: writer.admin, body, changes, audits: ['health_event.update'] };
  },
  withdraw: (writer) => {
    const key = pickThing(writer, 'event', 'k-');
    const changes: Change[] = [
      ['event', key ?? '', deleted],
      ['indexEntry', key ?? '', deleted],
    ];
    const path = versioned(`${events}/${key}`);
    return key
      ? { method: 'DELETE', path, token: writer.admin, changes, audits: ['health_event.withdraw'] }
      : undefined;
  },
  importEvents: (writer) => {
    const names = Array.from({ length: 20 }, (_, at) => `${fresh(writer)}-${at}`);
    const body = names.map((name) => ({ name, properties: properties(name) }));
    const changes = names.flatMap((name): Change[] => [
      ['event', name, '1'],
      ['indexEntry', name, 'is'],
    ]);
    const began = 'health_event.import';
    const cutOff = { before: [began], after: [began] };
    const audits = [began, 'health_event.import_end'];
    return { method: 'POST', path: versioned(`${events}/import`), token: writer.admin, body, changes, audits, cutOff };
  },
  createGroup: (writer) => {
    const name = fresh(writer);
    const changes: Change[] = [
      ['group', name, 'is'],
      ['groupApp', name, 'is'],
    ];
    const path = '/v0.1/apps/ada/compass/distribution_groups';
    return { method: 'POST', path, token: writer.admin, body: { name }, changes, audits: ['group.create'] };
  },
  addTesters: (writer) => {
    const group = pickThing(writer, 'group');
    const emails = [1, 2, 3].map((at) => `${fresh(writer)}-${at}@example.org`);
    const changes = emails.flatMap((email): Change[] => [
      ['tester', email, 'is'],
      ['mail', email, 'is'],
    ]);
    const path = `/v0.1/apps/ada/compass/distribution_groups/${group}/members`;
    const audits = emails.map(() => 'group.add_user');
    const body = { user_emails: emails };
    return group ? { method: 'POST', path, token: writer.admin, body, changes, audits } : undefined;
  },
};

/** Creates a resource of a domain, or deletes the one that the writer has. */
const toggle =
  (kind: ToggledKind): Make =>
  async (writer, { rows }) => {
    const { table, key, id, audited, create, remove } = toggled[kind];
    const there = pickThing(writer, kind);
    const name = there ?? fresh(writer);
    const changes: Change[] = [[kind, name, there ? deleted : 'is']];
    const token = writer.admin;
    if (!there) return { ...create(name), token, changes, audits: [`${audited}.create`] };
    const [row] = await rows(`SELECT ${id} AS id FROM ${table} WHERE ${key} = '${name}'`);
    return { method: 'DELETE', path: remove(String(row?.id)), token, changes, audits: [`${audited}.delete`] };
  };

/** A random next change of a writer. */
export async function nextOperation(writer: Writer, target: Target): Promise<Operation> {
  for (;;) {
    writer.count += 1;
    const kind = writer.chance.pick([...Object.keys(makers), ...toggledKinds]);
    const make = makers[kind] ?? toggle(kind as ToggledKind);
    const operation = await make(writer, target);
    if (operation) return operation;
  }
}
