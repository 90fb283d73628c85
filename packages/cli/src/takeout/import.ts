import { createHash } from 'node:crypto';
import path from 'node:path';
import {
  ApiError,
  appInvitations_create,
  appInvitations_list,
  appPermissions,
  appSecrets_get,
  appSecrets_rotate,
  apps_create,
  apps_createForOrg,
  apps_get,
  atLeast,
  type Client,
  crashGroups_await,
  distributionGroups_addUser,
  distributionGroups_create,
  distributionGroups_get,
  distributionGroups_update,
  MOST_AWAITED_GROUPS,
  organizations_createOrUpdate,
  organizations_get,
  orgInvitations_create,
  orgInvitations_listPending,
  releases_addDistributionGroup,
  releases_updateDetails,
  users_get,
  users_list,
  users_listForOrg,
} from '@mooring/contract';
import { openFile } from '../files.ts';
import { Failure } from '../framework/errors.ts';
import type { Output } from '../output.ts';
import { uploadRelease } from '../release-upload.ts';
import { uploadSymbols } from '../symbol-upload.ts';
import { type DeploymentFolder, importDeployment, importPush, readDeployments } from './codepush.ts';
import {
  type AppFolder,
  isCollaborators,
  type OrgFolder,
  readJsonFile,
  readOrg,
  type SavedErrorGroup,
  type SavedGroup,
  type SavedMember,
  type SavedRelease,
  type SavedUser,
  writeJson,
} from './folder.ts';
import { importDay, noteRetention, readArchive } from './history.ts';

/** One thing to do, which can be done again without harm; its key is kept once it was done. */
export interface Step {
  key: string;
  what: string;
  run: () => Promise<void>;
}

interface Into {
  call: Client;
  server: string;
  /** Where the apps go; the owner that they had, if nobody is named. */
  owner?: string | undefined;
  /** Whether testers are added to their groups, which invites those who are not known here by mail. */
  withTesters: boolean;
  /** Whether members are invited to organizations and apps, with the roles that they had. */
  withMembers: boolean;
  out: Output;
  /** Adds a line to the list at the end. */
  leaveOut: (line: string) => void;
}

type Ref = { owner_name: string; app_name: string };

/** Reads something, or makes it if it is not there. */
async function ensure(find: () => Promise<unknown>, make: () => Promise<unknown>): Promise<void> {
  try {
    await find();
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    await make();
  }
}

/** The same for the same thing on the same server: an upload that was begun is gone on with, not made twice. */
const uploadIdOf = (...of: string[]): string =>
  createHash('sha256')
    .update(of.join('\n'))
    .digest('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');

/** Packages that do not say their version themselves. */
const isMute = (file: string): boolean => /[.](zip|msi|dmg|pkg)$/i.test(file);

async function importRelease({ call, server, out }: Into, params: Ref, release: SavedRelease, file: string) {
  const named = { build_version: release.short_version, build_number: release.version };
  const upload_id = uploadIdOf(server, params.owner_name, params.app_name, String(release.id), release.fingerprint);
  const query = { file_name: path.basename(file), upload_id, ...(isMute(file) ? named : {}) };
  const package_ = await openFile(file, 'application/octet-stream');
  const id = await uploadRelease({ call, params, file: package_, query, out, isResumed: true });
  const ofRelease = { ...params, release_id: String(id) };
  const { release_notes = '', enabled, distribution_groups = [], destinations = [], uploaded_at, build } = release;
  const body = { release_notes, enabled, ...(uploaded_at ? { uploaded_at } : {}), ...(build ? { build } : {}) };
  await call(releases_updateDetails, { params: ofRelease, body });
  for (const { name } of distribution_groups) {
    if (!name) continue;
    const found = await call(distributionGroups_get, { params: { ...params, distribution_group_name: name } });
    const { mandatory_update = release.mandatory_update ?? false } =
      destinations.find((one) => one.name === name) ?? {};
    const body = { id: found.id, mandatory_update, notify_testers: false };
    await call(releases_addDistributionGroup, { params: ofRelease, body });
  }
}

/** A group that is here already keeps who may see it. */
async function importGroup({ call }: Into, params: Ref, group: SavedGroup): Promise<void> {
  const { name, display_name, is_public } = group;
  const at = { ...params, distribution_group_name: name };
  const shown = display_name && display_name !== name ? { display_name } : {};
  const publish = () => call(distributionGroups_update, { params: at, body: { is_public: true } });
  await ensure(
    () => call(distributionGroups_get, { params: at }),
    () => call(distributionGroups_create, { params, body: { name, ...shown } }).then(is_public ? publish : undefined),
  );
  if (is_public && isCollaborators(group)) await publish();
}

/** What is installed goes on to send the secret that it has: then only its address is another. */
async function keepSecret({ call, leaveOut }: Into, params: Ref, app_secret: string): Promise<void> {
  const { app_secret: current } = await call(appSecrets_get, { params });
  if (current === app_secret.toLowerCase()) return;
  try {
    await call(appSecrets_rotate, { params, body: { app_secret, overlap_hours: 0 } });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 409) throw error;
    leaveOut(`the secret of ${params.owner_name}/${params.app_name}, which keeps its new one: ${error.message}`);
  }
}

async function addTesters({ call, leaveOut }: Into, params: Ref, { name, members = [] }: SavedGroup): Promise<void> {
  const user_emails = members.flatMap(({ email }) => email ?? []);
  if (user_emails.length === 0) return;
  const at = { ...params, distribution_group_name: name };
  for (const { user_email, status, message } of await call(distributionGroups_addUser, {
    params: at,
    body: { user_emails },
  })) {
    if (status >= 400 && status !== 409) leaveOut(`${user_email} in the group ${name}: ${message ?? status}`);
  }
}

const sameAs = (email: string) => (other: { email: string }) => other.email.toLowerCase() === email.toLowerCase();

/** Who is there already, or invited, keeps what they have. */
async function inviteMembers({ call }: Into, org_name: string, members: readonly SavedMember[]): Promise<void> {
  const params = { org_name };
  const here = [
    ...(await call(users_listForOrg, { params })),
    ...(await call(orgInvitations_listPending, { params, query: {} })),
  ];
  for (const { email, role } of members) {
    if (!here.some(sameAs(email))) await call(orgInvitations_create, { params, body: { user_email: email, role } });
  }
}

/** Invitations speak of roles, and testers come with their groups. */
const roleOf = { manager: 'admin', developer: 'collaborator', viewer: 'member', tester: undefined } as const;

const permissionOf = ({ permissions = [] }: Pick<SavedUser, 'permissions'>) =>
  appPermissions.findLast((permission) => permissions.includes(permission)) ?? 'tester';

/** The same for an app, of which somebody may have less by a team. */
async function inviteUsers({ call }: Into, params: Ref, users: readonly SavedUser[]): Promise<void> {
  const here = [...(await call(users_list, { params })), ...(await call(appInvitations_list, { params, query: {} }))];
  for (const user of users) {
    const permission = permissionOf(user);
    const role = roleOf[permission];
    const has = here.filter(sameAs(user.email)).some((one) => atLeast(permissionOf(one), permission));
    if (role && !has) await call(appInvitations_create, { params, body: { user_email: user.email, role } });
  }
}

const LONGEST_WORDS = 4096;
const LONGEST_NOTE = 4000;

/** What they were: those that no report has come of here have it when one comes. */
async function tellErrorGroups({ call }: Into, params: Ref, saved: readonly SavedErrorGroup[]): Promise<void> {
  const groups = saved.map(({ appVersion, appBuild, state, ...group }) => ({
    appVersion,
    ...(appBuild ? { appBuild } : {}),
    exceptionType: group.exceptionType?.slice(0, LONGEST_WORDS) ?? '',
    exceptionClassName: group.exceptionClassName?.slice(0, LONGEST_WORDS) ?? '',
    exceptionMethod: group.exceptionMethod?.slice(0, LONGEST_WORDS) ?? '',
    exceptionMessage: group.exceptionMessage?.slice(0, LONGEST_WORDS) ?? '',
    // Some lists of App Center begin the states with a capital letter.
    state: state.toLowerCase() as typeof state,
    annotation: group.annotation?.slice(0, LONGEST_NOTE) ?? '',
  }));
  for (let at = 0; at < groups.length; at += MOST_AWAITED_GROUPS) {
    await call(crashGroups_await, { params, body: { groups: groups.slice(at, at + MOST_AWAITED_GROUPS) } });
  }
}

interface Owner extends OrgFolder {
  name: string;
  isOrg: boolean;
}

/** Oldest release first: labels only grow. */
function codePushSteps(
  { call, server, leaveOut }: Into,
  params: Ref,
  { deployment, releases }: DeploymentFolder,
): Step[] {
  const app = `${params.owner_name}/${params.app_name}`;
  const { name } = deployment;
  return [
    {
      key: `deployment ${app} ${name}`,
      what: `the CodePush deployment ${name} of ${app}`,
      run: () => importDeployment(call, params, deployment, leaveOut),
    },
    ...releases.flatMap(({ release, file }) => {
      const { label = '' } = release;
      if (!file) return [];
      const upload_id = uploadIdOf(server, app, name, label, release.package_hash ?? '');
      return [
        {
          key: `codepush ${app} ${name} ${label}`,
          what: `CodePush release ${label} of ${name} of ${app}`,
          run: () => importPush(call, { ...params, deployment: name, upload_id }, release, file, leaveOut),
        },
      ];
    }),
  ];
}

const listOtherDestinations = (app: string, { id, destinations = [] }: SavedRelease): string[] =>
  destinations.flatMap(({ destination_type, name = '' }) =>
    destination_type === 'group' ? [] : `${destination_type} ${name} of release ${id} of ${app}: distribute it again`,
  );

/** Parts of the folder that an import does not create. */
export function listLeftOut(
  apps: readonly AppFolder[],
  { withTesters, withMembers }: Pick<Into, 'withTesters' | 'withMembers'>,
): string[] {
  const lines = apps.flatMap(({ folder, app, groups, releases, symbols }) => {
    const named = `${app.owner.name}/${app.name}`;
    const testers = groups.filter((group) => group.members?.length && !isCollaborators(group));
    return [
      ...releases.flatMap(({ release, file }) =>
        file ? listOtherDestinations(named, release) : `release ${release.id} of ${named}: no package is in the folder`,
      ),
      ...readDeployments(folder).flatMap(({ deployment, releases: pushes }) =>
        pushes.flatMap(({ release, file }) =>
          file
            ? []
            : `CodePush release ${release.label} of ${deployment.name} of ${named}: no package is in the folder`,
        ),
      ),
      ...symbols.flatMap(({ symbols: { symbol_id }, file }) =>
        file ? [] : `symbols ${symbol_id} of ${named}: no file is in the folder`,
      ),
      ...(withTesters || testers.length === 0
        ? []
        : [`testers of ${named} in ${testers.map(({ name }) => name).join(', ')}: add --with-testers`]),
    ];
  });
  return withMembers ? lines : [...lines, 'members of organizations and apps: add --with-members'];
}

function stepsOf(
  into: Into,
  { folder, app, users, groups, errorGroups, releases, symbols }: AppFolder,
  { org, members, ...owner }: Owner,
): Step[] {
  const { call, withTesters, withMembers } = into;
  const days = readArchive(folder);
  /** What it has would be counted again: ids of events and sessions are not kept as devices sent them. */
  const isVeryApp = async () => (await call(apps_get, { params })).id === app.id;
  // Who administers the organization manages its apps by that.
  const ofApp = users.filter(
    ({ email }) => !owner.isOrg || !members.filter(sameAs(email)).some(({ role }) => role === 'admin'),
  );
  const params: Ref = { owner_name: owner.name, app_name: app.name };
  const named = `${owner.name}/${app.name}`;
  const { name, display_name, description, os, platform, release_type } = app;
  const body = {
    name,
    display_name,
    os,
    platform,
    ...(description ? { description } : {}),
    ...(release_type ? { release_type } : {}),
  };
  const org_name = owner.name;
  return [
    ...(owner.isOrg
      ? [
          {
            key: `org ${org_name}`,
            what: `the organization ${org_name}`,
            run: () =>
              ensure(
                () => call(organizations_get, { params: { org_name } }),
                () =>
                  call(organizations_createOrUpdate, {
                    body: { name: org_name, display_name: org?.display_name ?? org_name },
                  }),
              ),
          },
          ...(withMembers && members.length > 0
            ? [
                {
                  key: `members ${org_name}`,
                  what: `${members.length} members of ${org_name}`,
                  run: () => inviteMembers(into, org_name, members),
                },
              ]
            : []),
        ]
      : []),
    {
      key: `app ${named}`,
      what: `the app ${named}`,
      run: () =>
        ensure(
          () => call(apps_get, { params }),
          () => (owner.isOrg ? call(apps_createForOrg, { params: { org_name }, body }) : call(apps_create, { body })),
        ),
    },
    ...(app.app_secret
      ? [
          {
            key: `secret ${named}`,
            what: `the secret of ${named}`,
            run: () => keepSecret(into, params, app.app_secret),
          },
        ]
      : []),
    ...(withMembers && ofApp.length > 0
      ? [
          {
            key: `users ${named}`,
            what: `${ofApp.length} users of ${named}`,
            run: () => inviteUsers(into, params, ofApp),
          },
        ]
      : []),
    ...groups.flatMap((group) => [
      {
        key: `group ${named} ${group.name}`,
        what: `the group ${group.name} of ${named}`,
        run: () => importGroup(into, params, group),
      },
      ...(withTesters && group.members?.length && !isCollaborators(group)
        ? [
            {
              key: `testers ${named} ${group.name}`,
              what: `${group.members.length} testers of ${group.name} of ${named}`,
              run: () => addTesters(into, params, group),
            },
          ]
        : []),
    ]),
    ...releases.flatMap(({ release, file }) =>
      file
        ? [
            {
              key: `release ${named} ${release.id}`,
              what: `release ${release.id} of ${named}, ${release.short_version} (${release.version})`,
              run: () => importRelease(into, params, release, file),
            },
          ]
        : [],
    ),
    ...readDeployments(folder).flatMap((saved) => codePushSteps(into, params, saved)),
    ...symbols.flatMap(({ symbols: { symbol_id, type, version, build }, file }) =>
      file
        ? [
            {
              key: `symbols ${named} ${symbol_id}`,
              what: `symbols ${symbol_id} of ${named}`,
              run: async () => {
                const ofVersion = version && build ? { version, build } : {};
                const { result, reason } = await uploadSymbols(call, params, { file, type, ids: [] }, ofVersion);
                if (result === 'failed') throw new Failure(`${file} was refused: ${reason ?? 'it holds no symbols.'}`);
              },
            },
          ]
        : [],
    ),
    ...(errorGroups.length > 0
      ? [
          {
            key: `errors ${named}`,
            what: `the state of ${errorGroups.length} groups of crashes and errors of ${named}`,
            run: () => tellErrorGroups(into, params, errorGroups),
          },
        ]
      : []),
    ...(days.length > 0
      ? [
          {
            key: `retention ${named}`,
            what: `for how long ${named} keeps telemetry`,
            run: async () => {
              if (await isVeryApp()) into.out.note(`${named} is the app that was exported, and has what devices sent.`);
              else await noteRetention(call, params, days, into.out);
            },
          },
        ]
      : []),
    // Last, as symbols name their frames and groups have their state from the first report on.
    ...days.map((saved) => ({
      key: `logs ${named} ${saved.day}`,
      what: `what devices sent to ${named} on ${saved.day}, ${saved.files.length} files`,
      run: async () => {
        if (!(await isVeryApp())) await importDay(call, params, saved, into.out);
      },
    })),
  ];
}

/** Everything to do, each once. Apps of people become those of the caller: nobody else's can be made. */
export async function planImport(into: Into, root: string, apps: readonly AppFolder[]): Promise<Step[]> {
  const me = await into.call(users_get);
  const others = <P extends { email: string }>(people: P[]): P[] => people.filter((one) => !sameAs(me.email)(one));
  const ownerOf = ({ app: { owner } }: AppFolder): Owner => {
    const name = into.owner ?? (owner.type === 'org' ? owner.name : me.name);
    const { org, members }: OrgFolder =
      owner.type === 'org' ? readOrg(root, owner.name) : { org: undefined, members: [] };
    // Of an organization that is called otherwise here, the name for people would be wrong.
    return { name, isOrg: name !== me.name, org: org?.name === name ? org : undefined, members: others(members) };
  };
  const steps = apps.flatMap((app) => stepsOf(into, { ...app, users: others(app.users) }, ownerOf(app)));
  return [...new Map(steps.map((step) => [step.key, step])).values()];
}

/** What was done before, by server: the same folder can go to several. */
const journalOf = (root: string, server: string): string =>
  path.join(root, `imported-to-${new URL(server).host.replaceAll(/[^\w.-]/g, '_')}.json`);

export const doneBefore = (root: string, server: string): Set<string> =>
  new Set(readJsonFile<string[]>(journalOf(root, server)) ?? []);

/** Does what is left, and notes each as it is done, so that it can be stopped at any time. */
export async function runImport(root: string, server: string, steps: readonly Step[], out: Output): Promise<number> {
  const done = doneBefore(root, server);
  const left = steps.filter(({ key }) => !done.has(key));
  try {
    for (const [at, { key, what, run }] of left.entries()) {
      out.progress.show(at / left.length, what);
      await run();
      done.add(key);
      writeJson(journalOf(root, server), [...done]);
    }
  } finally {
    out.progress.end();
  }
  return left.length;
}
