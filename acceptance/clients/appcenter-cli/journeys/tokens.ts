import { type Journey, login } from '../command.ts';

export const tokens: Journey = {
  title: 'tokens of a user and of an app',
  user: 'tove',
  commands: [
    login,
    {
      line: 'tokens create --description "Build server"',
      prints: 'ID: {ci-id=uuid}\nAPI Token: {ci=user-token}\nDescription: Build server\nCreated at: {ci-time=time}',
    },
    {
      line: 'tokens create --description Laptop --output json',
      json: { id: '{uuid}', apiToken: '{user-token}', description: 'Laptop', scope: ['all'], createdAt: '{time}' },
    },
    {
      line: 'tokens create',
      exit: 3,
      prints: 'Error: invalid request',
      defect: {
        client: 'Sends no body without a description, and hides the error message of the server.',
        here: 'Responds 411, as the API requires a body. Add `--description`.',
      },
    },
    {
      line: 'tokens list',
      prints: `ID | Description | Type | Created At
{uuid} | Laptop | user | {time}
{ci-id} | Build server | user | {ci-time}
{uuid} | | user | {time}`,
    },
    {
      line: 'tokens list --output json',
      json: [
        ['{uuid}', 'Laptop', 'user', '{time}'],
        ['{ci-id}', 'Build server', 'user', '{ci-time}'],
        ['{uuid}', null, 'user', '{time}'],
      ],
    },
    {
      line: 'profile list --env local --token {ci}',
      prints: 'Username: tove\nDisplay Name: tove\nEmail: tove@example.com',
    },
    {
      line: 'tokens delete {ci-id}',
      answers: 'n\n',
      prints: `? Do you really want to delete the user API token with ID "{ci-id}" No
Deletion of user API token with ID "{ci-id}" canceled`,
    },
    {
      line: 'tokens delete {ci-id}',
      answers: 'y\n',
      prints: '? Do you really want to delete the user API token with ID "{ci-id}" Yes',
    },
    {
      line: 'profile list --env local --token {ci}',
      exit: 3,
      prints: `Error: Command 'profile list --env local --token {ci}' failed with exception "Missing or invalid credential. {any}"`,
    },
    {
      line: 'tokens delete {ci-id} --quiet',
      exit: 5,
      prints: 'Error: the user API token with ID "{ci-id}" could not be found',
    },
    {
      line: 'apps create --display-name Compass --os Android --platform Java --output json',
      json: { name: 'Compass' },
    },
    {
      line: 'tokens create --type app --app tove/Compass --description Fastlane',
      prints: 'ID: {lane-id=uuid}\nAPI Token: {lane=app-token}\nDescription: Fastlane\nCreated at: {lane-time=time}',
    },
    {
      line: 'apps show --app tove/Compass --env local --token {lane} --output json',
      json: { name: 'Compass', owner: { name: 'tove' } },
    },
    {
      line: 'tokens list --type app --app tove/Compass',
      prints: 'ID | Description | Type | Created At\n{lane-id} | Fastlane | app | {lane-time}',
    },
    {
      line: 'tokens list --type app --app tove/Compass --output json',
      json: [['{lane-id}', 'Fastlane', 'app', '{lane-time}']],
    },
    { line: 'tokens delete {lane-id} --type app --app tove/Compass --quiet' },
    { line: 'tokens list --type app --app tove/Compass --output json', json: [] },
    {
      line: 'tokens delete {lane-id} --type app --app tove/Compass --quiet',
      exit: 5,
      prints: 'Error: the app API token with ID "{lane-id}" could not be found',
    },
    {
      line: 'tokens create --type app --app tove/Nowhere --description Fastlane',
      exit: 5,
      prints: 'Error: app could not be found',
    },
    {
      line: 'tokens list --type app --app tove/Nowhere',
      exit: 3,
      prints: `Error: Command 'tokens list --type app --app tove/Nowhere' failed with exception "Cannot read properties of undefined (reading 'map')"`,
      defect: {
        client: 'Does not recognize 404 and fails while it reads a list.',
        here: 'Responds 404: the app does not exist, or the user has no access.',
      },
    },
  ],
};
