import { empty, endpoint, json } from '../endpoint/index.ts';
import { AppPath, OrgPath, Time } from '../fields.ts';
import { Type } from '../type.ts';
import { RunnerDevice } from './devices.ts';

/** A tool that a runner reports, such as `{ name: "xcode", version: "16.2" }`. */
export const RunnerTool = Type.Object({
  name: Type.String({ pattern: '^[a-z][a-z0-9-]{0,39}$' }),
  version: Type.String({ minLength: 1, maxLength: 100 }),
});
export const RunnerLabel = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$' });

export const Runner = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    serves: Type.Enum(['server', 'organization', 'app'], {
      description: 'Whether the runner does jobs of the whole server, of an organization or of an app.',
    }),
    serves_name: Type.Optional(
      Type.String({ description: 'The organization, or the app as owner/name. Only in lists of all runners.' }),
    ),
    labels: Type.Array(Type.String()),
    tools: Type.Array(RunnerTool, { description: 'The tools that the runner found when it last started.' }),
    version: Type.Optional(Type.String({ description: 'The version of the runner program.' })),
    devices: Type.Array(RunnerDevice, { description: 'The devices for tests.' }),
    slots: Type.Integer({ description: 'The number of jobs that the runner does at a time.' }),
    running: Type.Integer({ description: 'The number of running jobs.' }),
    is_online: Type.Boolean(),
    trouble: Type.Optional(Type.String({ description: 'Why the runner accepts no jobs.' })),
    created_at: Time,
    last_seen_at: Type.Optional(Time),
  },
  { $id: 'Runner' },
);

const RegistrationCode = Type.Object(
  {
    code: Type.String({
      description: 'Registers one runner: `mooring runner register <server> --code <code>`. Works once.',
    }),
    expires_at: Time,
  },
  { $id: 'RunnerRegistrationCode' },
);

const common = { tag: 'runners', errors: [400, 403, 404] } as const;
const reading = { ...common, method: 'GET', effect: 'read' } as const;
const inviting = {
  ...common,
  method: 'POST',
  effect: 'change',
  request: json(Type.Object({})),
  response: json(RegistrationCode, { status: 201, description: 'The code. Shown only once.' }),
} as const;
const removing = {
  ...common,
  method: 'DELETE',
  effect: 'change',
  response: empty({ description: 'The runner is deleted; its jobs return to the queue.' }),
} as const;
const all = json(Type.Array(Runner), { description: 'The runners, sorted by name.' });
const RunnerId = { runner_id: Type.String({ minLength: 1, maxLength: 100 }) };

const ofApp = '/v0.1/apps/{owner_name}/{app_name}/runners';
const ofOrg = '/v0.1/orgs/{org_name}/runners';
const ofServer = '/v0.1/admin/runners';

export const runners_listForApp = endpoint({
  ...reading,
  id: 'runners_listForApp',
  path: ofApp,
  summary: 'List the runners available to an app: its own, those of its organization and those of the server',
  access: 'app:viewer',
  params: Type.Object(AppPath),
  response: all,
});

export const runners_inviteForApp = endpoint({
  ...inviting,
  id: 'runners_inviteForApp',
  path: `${ofApp}/codes`,
  summary: 'Create a registration code for a runner of an app',
  access: 'app:manager',
  params: Type.Object(AppPath),
});

export const runners_removeFromApp = endpoint({
  ...removing,
  id: 'runners_removeFromApp',
  path: `${ofApp}/{runner_id}`,
  summary: 'Delete a runner of an app; its token stops working immediately',
  access: 'app:manager',
  params: Type.Object({ ...AppPath, ...RunnerId }),
});

export const runners_listForOrg = endpoint({
  ...reading,
  id: 'runners_listForOrg',
  path: ofOrg,
  summary: 'List the runners of an organization',
  access: 'org:admin',
  params: Type.Object(OrgPath),
  response: all,
});

export const runners_inviteForOrg = endpoint({
  ...inviting,
  id: 'runners_inviteForOrg',
  path: `${ofOrg}/codes`,
  summary: 'Create a registration code for a runner of an organization',
  access: 'org:admin',
  params: Type.Object(OrgPath),
});

export const runners_removeFromOrg = endpoint({
  ...removing,
  id: 'runners_removeFromOrg',
  path: `${ofOrg}/{runner_id}`,
  summary: 'Delete a runner of an organization; its token stops working immediately',
  access: 'org:admin',
  params: Type.Object({ ...OrgPath, ...RunnerId }),
});

export const runners_listForServer = endpoint({
  ...reading,
  id: 'runners_listForServer',
  path: ofServer,
  summary: 'List the runners of this server, which do jobs of all apps',
  access: 'admin',
  query: Type.Object({
    all: Type.Optional(Type.Boolean({ description: 'Include runners of organizations and apps, with `serves_name`.' })),
  }),
  response: all,
});

export const runners_inviteForServer = endpoint({
  ...inviting,
  id: 'runners_inviteForServer',
  path: `${ofServer}/codes`,
  summary: 'Create a registration code for a runner of this server',
  access: 'admin',
});

export const runners_removeFromServer = endpoint({
  ...removing,
  id: 'runners_removeFromServer',
  path: `${ofServer}/{runner_id}`,
  summary: 'Delete a runner of this server; its token stops working immediately',
  access: 'admin',
  params: Type.Object(RunnerId),
});

export const runners_register = endpoint({
  ...common,
  id: 'runners_register',
  method: 'POST',
  path: '/v0.1/runners',
  summary: 'Register a runner with a registration code',
  description: 'Called by `mooring runner register`. A code works once, for an hour.',
  access: 'public',
  effect: 'change',
  request: json(
    Type.Object({
      code: Type.String({ minLength: 1, maxLength: 100 }),
      name: Type.String({ minLength: 1, maxLength: 64, pattern: '^[^\\p{Cc}]*\\S[^\\p{Cc}]*$' }),
    }),
  ),
  response: json(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      serves: Type.Enum(['server', 'organization', 'app']),
      token: Type.String({ description: 'For the header X-Runner-Token. Shown only once.' }),
    }),
    { status: 201, description: 'The runner and its token.' },
  ),
});
