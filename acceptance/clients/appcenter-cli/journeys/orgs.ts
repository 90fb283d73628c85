import { type Journey, login } from '../command.ts';

export const orgs: Journey = {
  title: 'organizations, their apps and collaborators',
  user: 'otto',
  guests: ['omar'],
  files: { 'crew.txt': 'nina@example.com\nnora@example.com\n' },
  commands: [
    login,
    {
      line: 'orgs create --display-name "Harbour Office" --name harbour',
      prints: `Successfully created organization harbour
Name: harbour
Display name: Harbour Office
URL: {server}/orgs/harbour
Admins: otto`,
    },
    {
      line: 'orgs create --display-name Pilots --output json',
      json: {
        name: 'Pilots',
        displayName: 'Pilots',
        url: '{server}/orgs/Pilots',
        admins: [{ name: 'otto', role: 'admin' }],
      },
    },
    {
      line: 'orgs create --display-name Harbour --name harbour',
      exit: 4,
      prints: 'Error: organization harbour already exists',
    },
    { line: 'orgs list', prints: 'Display Name | Name\nHarbour Office | harbour\nPilots | Pilots' },
    {
      line: 'orgs list --output json',
      json: [
        ['Harbour Office', 'harbour'],
        ['Pilots', 'Pilots'],
      ],
    },
    {
      line: 'orgs update --name harbour --new-display-name Harbour',
      prints: 'Successfully changed display name of harbour to Harbour',
    },
    { line: 'orgs update --name harbour --new-name haven', prints: 'Successfully renamed harbour to haven' },
    {
      line: 'orgs update --name haven --new-name Pilots',
      exit: 4,
      prints: 'Error: organization Pilots already exists',
    },
    { line: 'orgs update --name nowhere --new-name x', exit: 4, prints: `Error: organization nowhere doesn't exist` },
    {
      line: 'orgs apps create --org-name haven --display-name "Tide Table" --app-name tides --os Android --platform Java',
      prints: `App Secret: {uuid}
Description:
Display Name: Tide Table
Name: tides
OS: Android
Platform: Java
Release Type:
Owner ID: {uuid}
Owner Display Name: Harbour
Owner Email:
Owner Name: haven
Azure Subscription ID:`,
    },
    {
      line: 'orgs apps create --org-name haven --display-name Lock --os macOS --platform Objective-C-Swift --output json',
      json: { name: 'Lock', owner: { name: 'haven', type: 'org' } },
    },
    {
      line: 'orgs apps create --org-name haven --display-name Lock --app-name Lock --os macOS --platform Objective-C-Swift',
      exit: 4,
      prints: `Error: an app with this 'name' already exists`,
    },
    {
      line: 'orgs apps create --org-name nowhere --display-name Lock --os macOS --platform Objective-C-Swift',
      exit: 6,
      prints: 'Error: there appears to be no such org',
    },
    {
      line: 'orgs apps list --name haven',
      prints: `Display Name | Name | OS | Platform
Lock | Lock | macOS | Objective-C-Swift
Tide Table | tides | Android | Java`,
    },
    {
      line: 'orgs apps list --name haven --output json',
      json: [
        ['Lock', 'Lock', 'macOS', 'Objective-C-Swift'],
        ['Tide Table', 'tides', 'Android', 'Java'],
      ],
    },
    {
      line: 'orgs apps list --name nowhere',
      exit: 3,
      prints: 'Error: failed to load apps of organization',
      defect: {
        client: 'Does not recognize 404 and reports a general failure.',
        here: 'Responds 404: the organization does not exist, or the user is not a member.',
      },
    },
    {
      line: 'orgs collaborators update --name haven --add-collaborators "omar@example.com nina@example.com"',
      prints: 'Successfully added 2 collaborators to organization',
    },
    {
      line: 'orgs collaborators update --name haven --add-collaborators omar@example.com --output json',
      json: { addedCollaborators: ['omar@example.com'], deletedCollaborators: [], toAdmins: [], toCollaborators: [] },
      thenAccepts: 'omar',
    },
    {
      line: 'orgs collaborators list --name haven',
      prints: 'Name | Display Name | Email\nomar | omar | omar@example.com\notto | otto | otto@example.com',
    },
    {
      line: 'orgs collaborators update --name haven --make-admins omar@example.com',
      prints: 'Successfully changed roles for 1 collaborators to "admin"',
    },
    {
      line: 'orgs show --name haven',
      prints: 'Display name: Harbour\nURL: {server}/orgs/haven\nAdmins: omar, otto\nApps: 2\nCollaborators: 2',
    },
    {
      line: 'orgs collaborators update --name haven --make-collaborators omar@example.com',
      prints: 'Successfully changed roles for 1 admins to "collaborator"',
    },
    {
      line: 'orgs show --name haven --output json',
      json: { displayName: 'Harbour', admins: [{ name: 'otto' }], appsCount: 2, collaboratorsCount: 2 },
    },
    { line: 'orgs show --name nowhere', exit: 4, prints: `Error: organization nowhere doesn't exist` },
    {
      line: 'orgs collaborators update --name haven --add-collaborators-file crew.txt --delete-collaborators "omar@example.com nina@example.com"',
      prints: `Successfully added 2 collaborators to organization
Successfully deleted 2 collaborators from organization`,
    },
    {
      line: 'orgs collaborators list --name haven --output json',
      json: [['otto', 'otto', 'otto@example.com']],
    },
    {
      line: 'orgs collaborators update --name haven --make-collaborators otto@example.com',
      exit: 3,
      prints: 'Error: failed to change role of otto to collaborator',
      defect: {
        client: 'Hides the error message of the server.',
        here: 'Refuses: the last admin of an organization keeps the role.',
      },
    },
  ],
};
