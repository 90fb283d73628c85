import { empty, endpoint, json } from '../endpoint/index.ts';
import { AppPath, OrgPath, Time } from '../fields.ts';
import { Type } from '../type.ts';
import { RunnerDevice } from './devices.ts';

/** What a runner says that it has, such as `{ name: "xcode", version: "16.2" }`. */
export const RunnerTool = Type.Object({
  name: Type.String({ pattern: '^[a-z][a-z0-9-]{0,39}$' }),
  version: Type.String({ minLength: 1, maxLength: 100 }),
});
export const RunnerLabel = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$' });

export const Runner = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    serves: Type.Enum(['server', 'organization', 'app'], { description: 'Whose jobs it takes.' }),
    serves_name: Type.Optional(
      Type.String({ description: 'The organization, or the app as owner/name; where all runners are listed.' }),
    ),
    labels: Type.Array(Type.String()),
    tools: Type.Array(RunnerTool, { description: 'What it found on its machine when it last started.' }),
    version: Type.Optional(Type.String({ description: 'Of its program.' })),
    devices: Type.Array(RunnerDevice, { description: 'On which it runs tests.' }),
    slots: Type.Integer({ description: 'How many jobs it does at a time.' }),
    running: Type.Integer({ description: 'How many it does now.' }),
    is_online: Type.Boolean(),
    trouble: Type.Optional(Type.String({ description: 'Why it takes no work, in its own words.' })),
    created_at: Time,
    last_seen_at: Type.Optional(Time),
  },
  { $id: 'Runner' },
);

const RegistrationCode = Type.Object(
  {
    code: Type.String({ description: 'For one runner, once: `mooring runner register <server> --code <code>`.' }),
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
  response: json(RegistrationCode, { status: 201, description: 'The code; it is shown this once.' }),
} as const;
const removing = {
  ...common,
  method: 'DELETE',
  effect: 'change',
  response: empty({ description: 'It is no longer a runner; what it was doing goes back to the queue.' }),
} as const;
const all = json(Type.Array(Runner), { description: 'All of them, by name.' });
const RunnerId = { runner_id: Type.String({ minLength: 1, maxLength: 100 }) };

const ofApp = '/v0.1/apps/{owner_name}/{app_name}/runners';
const ofOrg = '/v0.1/orgs/{org_name}/runners';
const ofServer = '/v0.1/admin/runners';

export const runners_listForApp = endpoint({
  ...reading,
  id: 'runners_listForApp',
  path: ofApp,
  summary: 'Lists the runners that take jobs of an app: its own, those of its organization and those of the server',
  access: 'app:viewer',
  params: Type.Object(AppPath),
  response: all,
});

export const runners_inviteForApp = endpoint({
  ...inviting,
  id: 'runners_inviteForApp',
  path: `${ofApp}/codes`,
  summary: 'Makes a code with which one runner registers for an app',
  access: 'app:manager',
  params: Type.Object(AppPath),
});

export const runners_removeFromApp = endpoint({
  ...removing,
  id: 'runners_removeFromApp',
  path: `${ofApp}/{runner_id}`,
  summary: 'Removes a runner of an app; its token ends at once',
  access: 'app:manager',
  params: Type.Object({ ...AppPath, ...RunnerId }),
});

export const runners_listForOrg = endpoint({
  ...reading,
  id: 'runners_listForOrg',
  path: ofOrg,
  summary: 'Lists the runners of an organization',
  access: 'org:admin',
  params: Type.Object(OrgPath),
  response: all,
});

export const runners_inviteForOrg = endpoint({
  ...inviting,
  id: 'runners_inviteForOrg',
  path: `${ofOrg}/codes`,
  summary: 'Makes a code with which one runner registers for all apps of an organization',
  access: 'org:admin',
  params: Type.Object(OrgPath),
});

export const runners_removeFromOrg = endpoint({
  ...removing,
  id: 'runners_removeFromOrg',
  path: `${ofOrg}/{runner_id}`,
  summary: 'Removes a runner of an organization; its token ends at once',
  access: 'org:admin',
  params: Type.Object({ ...OrgPath, ...RunnerId }),
});

export const runners_listForServer = endpoint({
  ...reading,
  id: 'runners_listForServer',
  path: ofServer,
  summary: 'Lists the runners of this server, which take jobs of every app',
  access: 'admin',
  query: Type.Object({
    all: Type.Optional(
      Type.Boolean({ description: 'Also those of organizations and apps, each with the name of what it serves.' }),
    ),
  }),
  response: all,
});

export const runners_inviteForServer = endpoint({
  ...inviting,
  id: 'runners_inviteForServer',
  path: `${ofServer}/codes`,
  summary: 'Makes a code with which one runner registers for all apps of this server',
  access: 'admin',
});

export const runners_removeFromServer = endpoint({
  ...removing,
  id: 'runners_removeFromServer',
  path: `${ofServer}/{runner_id}`,
  summary: 'Removes a runner of this server; its token ends at once',
  access: 'admin',
  params: Type.Object(RunnerId),
});

export const runners_register = endpoint({
  ...common,
  id: 'runners_register',
  method: 'POST',
  path: '/v0.1/runners',
  summary: 'Turns a registration code into a runner with a token of its own',
  description: 'What `mooring runner register` calls. A code works once, for an hour.',
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
      token: Type.String({ description: 'For the header X-Runner-Token; it is shown this once.' }),
    }),
    { status: 201, description: 'The runner.' },
  ),
});
