import { type Journey, login } from '../command.ts';

const released = (folder: string) =>
  `Successfully released an update containing the "${folder}/CodePush" directory to the "Staging" deployment of the "Beacon" app.`;
const identical = (name: string) =>
  `Nothing was released: the package is identical to v1, the current release of "${name}" for these binaries.`;
const release = (folder: string) =>
  `codepush release --update-contents-path ${folder}/CodePush --deployment-name Staging --target-binary-version 1.0.0`;

export const codepush: Journey = {
  title: 'over-the-air updates',
  user: 'cora',
  files: {
    'one/CodePush/index.android.bundle': 'console.log("one");',
    'two/CodePush/index.android.bundle': 'console.log("two");',
  },
  commands: [
    login,
    {
      line: 'apps create --display-name Beacon --os Android --platform React-Native --output json',
      json: { name: 'Beacon' },
    },
    { line: 'apps set-current cora/Beacon' },
    {
      line: 'codepush deployment add Staging',
      prints: 'Deployment Staging has been created for cora/Beacon with key {staging=any}',
    },
    {
      line: 'codepush deployment add Production',
      prints: 'Deployment Production has been created for cora/Beacon with key {production=any}',
    },
    {
      line: 'codepush deployment add Staging',
      exit: 3,
      prints: 'Error: A deployment named Staging already exists.',
    },
    {
      line: 'codepush deployment list',
      prints: [
        'Note: To display deployment keys add -k|--displayKeys option',
        'Name | Update Metadata | Install Metrics',
        'Production | No updates released | No installs recorded',
        'Staging | No updates released | No installs recorded',
      ].join('\n'),
    },
    { line: `${release('one')} --description first`, prints: released('one') },
    { line: release('one'), exit: 3, prints: `Error: ${identical('Staging')}` },
    {
      line: `${release('one')} --disable-duplicate-release-error`,
      prints: `[Warning] ${identical('Staging')}`,
    },
    { line: `${release('two')} --rollout 50 --mandatory`, prints: released('two') },
    {
      line: 'codepush patch Staging --rollout 100 --description better',
      prints: "Successfully updated the v2 of cora/Beacon app's Staging deployment",
    },
    {
      line: 'codepush patch Staging --rollout 100',
      prints:
        "No update for the v2 of cora/Beacon app's Staging deployment\nSuccessfully updated the undefined of cora/Beacon app's Staging deployment",
      defect: {
        client: 'Reports an update although nothing changed.',
        here: 'Responds 204 and changes nothing, as App Center did.',
      },
    },
    {
      line: 'codepush deployment history Staging',
      prints: [
        'Label | Release Time | App Version | Mandatory | Description | Install Metrics',
        'v1 | {any} | 1.0.0 | No | first | No installs recorded',
        'v2 | {any} | 1.0.0 | Yes | better | No installs recorded',
      ].join('\n'),
    },
    {
      line: 'codepush deployment history Nowhere',
      exit: 3,
      prints: 'Error: The deployment Nowhere does not exist.',
    },
    {
      line: 'codepush promote -s Staging -d Production',
      prints: "Successfully promoted the 'Staging' deployment of the 'cora/Beacon' app to the 'Production' deployment.",
    },
    {
      line: 'codepush promote -s Staging -d Production',
      exit: 3,
      prints: `Error: ${identical('Production')}`,
    },
    {
      line: 'codepush rollback Staging --quiet',
      prints: "Successfully performed a rollback on the 'Staging' deployment of the 'cora/Beacon' app.",
    },
    {
      line: 'codepush deployment list --displayKeys',
      prints: 'Name | Key\nProduction | {production}\nStaging | {staging}',
    },
    {
      line: 'codepush deployment clear Staging --quiet',
      prints: 'Successfully cleared the deployment Staging history for the cora/Beacon app.',
    },
    {
      line: 'codepush deployment rename Staging Rehearsal',
      prints: 'Successfully renamed the Staging deployment to Rehearsal for the cora/Beacon app.',
    },
    {
      line: 'codepush deployment remove Rehearsal --quiet',
      prints: 'Successfully removed the Rehearsal deployment for the cora/Beacon app.',
    },
    {
      line: 'codepush deployment remove Rehearsal --quiet',
      exit: 6,
      prints: 'Error: Deployment Rehearsal for the cora/Beacon app does not exist.',
    },
  ],
};
