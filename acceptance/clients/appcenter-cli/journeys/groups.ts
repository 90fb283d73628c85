import { type Journey, login } from '../command.ts';

export const groups: Journey = {
  title: 'distribution groups',
  user: 'gerd',
  files: { 'crew.txt': 'nina@example.com\nnora@example.com\n', 'buoy.apk': 'not a package' },
  commands: [
    login,
    { line: 'apps create --display-name Buoy --os Android --platform Java --output json', json: { name: 'Buoy' } },
    { line: 'apps set-current gerd/Buoy' },
    {
      line: 'distribute groups create --name Beta --testers "gerd@example.com nina@example.com"',
      prints: 'Successfully created the Beta distribution group with 2 testers',
    },
    { line: 'distribute groups create --name Alpha', prints: 'Successfully created the Alpha distribution group' },
    {
      line: 'distribute groups create --name Crew --testers-file crew.txt --output json',
      json: {
        distributionGroupName: 'Crew',
        testersAdded: [
          { userEmail: 'nina@example.com', status: 200, invitePending: true },
          { userEmail: 'nora@example.com', status: 200, invitePending: true },
        ],
      },
    },
    {
      line: 'distribute groups create --name Guests --testers "nowhere nina@example.com"',
      prints: 'Successfully created the Guests distribution group with 1 testers',
      defect: {
        client: 'Does not print which addresses the server refused.',
        here: 'The response has a result for each address; valid addresses are added.',
      },
    },
    {
      line: 'distribute groups create --name Beta',
      exit: 3,
      prints: 'Error: failed to create distribution group',
      defect: {
        client: 'Does not recognize 409 and reports a general failure.',
        here: 'Responds 409: a group with that name exists.',
      },
    },
    {
      line: 'distribute groups list',
      prints: 'Group | Users\nAlpha | 0\nBeta | 2\nCollaborators | 1\nCrew | 2\nGuests | 1',
    },
    {
      line: 'distribute groups update --group Beta --add-testers nora@example.com --delete-testers nina@example.com --output json',
      json: { name: 'Beta', addedTesters: ['nora@example.com'], deletedTesters: ['nina@example.com'] },
    },
    {
      line: 'distribute groups update --group Beta --add-testers-file crew.txt --delete-testers nobody@example.com',
      prints: `Updating the list of testers was partially successful
Distribution group Beta was successfully updated`,
    },
    {
      line: 'distribute groups update --group Beta --name Gamma --public',
      prints: 'Distribution group Gamma was successfully updated',
    },
    {
      line: 'distribute groups update --group Gamma --private',
      prints: 'Distribution group Gamma was successfully updated',
    },
    {
      line: 'distribute groups update --group Gamma --name Crew',
      exit: 4,
      prints: 'Error: distribution group Crew already exists',
    },
    {
      line: 'distribute groups update --group Nowhere --delete-testers nina@example.com',
      exit: 3,
      prints: 'Error: failed to delete testers from the distribution group',
      defect: {
        client: 'Does not recognize 404 and reports a general failure.',
        here: 'Responds 404: the group does not exist, or the user has no access.',
      },
    },
    {
      line: 'distribute groups list --output json',
      json: [
        ['Alpha', '0'],
        ['Collaborators', '1'],
        ['Crew', '2'],
        ['Gamma', '3'],
        ['Guests', '1'],
      ],
    },
    {
      line: 'distribute groups show --group Gamma',
      prints: `Users:
Display Name: gerd
Email: gerd@example.com
Display Name: nina@example.com
Email: nina@example.com
Display Name: nora@example.com
Email: nora@example.com
Releases:`,
    },
    {
      line: 'distribute groups show --group Nowhere',
      exit: 3,
      prints: 'Error: failed to retrieve list of distribution group users',
      defect: {
        client: 'Does not recognize 404 and reports a general failure.',
        here: 'Responds 404: the group does not exist, or the user has no access.',
      },
    },
    {
      line: 'distribute groups download --group Gamma',
      exit: 3,
      prints: 'Error: failed to get details of the latest release for the distribution group',
      defect: {
        client: 'Prints the same message for every error.',
        here: 'Responds 404 with the code no_releases_for_user: the group has no release.',
      },
    },
    {
      line: 'distribute groups publish --group Gamma --file buoy.apk',
      exit: 3,
      prints: `Release upload failed
Error: Loading release id failed: Invalid archive: {any}`,
    },
    {
      line: 'distribute groups delete --group Gamma',
      answers: 'n\n',
      prints: `? Do you really want to delete distribution group Gamma? No
Deletion of distribution group Gamma was cancelled`,
    },
    { line: 'distribute groups delete --group Gamma --quiet', prints: 'Distribution group Gamma was deleted' },
    {
      line: 'distribute groups delete --group Gamma --quiet',
      exit: 3,
      prints: 'Error: failed to delete the distribution group',
      defect: {
        client: 'Does not recognize 404 and reports a general failure.',
        here: 'Responds 404: the group does not exist, or the user has no access.',
      },
    },
    { line: 'distribute groups list', prints: 'Group | Users\nAlpha | 0\nCollaborators | 1\nCrew | 2\nGuests | 1' },
  ],
};
