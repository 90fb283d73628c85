import path from 'node:path';
import { type Journey, login } from '../command.ts';

const metro = path.join(import.meta.dirname, '../../metro/react-native.cjs');

/** Does the same as `cordova prepare` in a project without plug-ins: copies www into the platform. */
const cordova = `#!/usr/bin/env node
const to = \`platforms/\${process.argv[3]}/app/src/main/assets/www\`;
require('node:fs').cpSync('www', to, { recursive: true });
`;

/** Accepts the options that the client passes to webpack, and bundles the single file. */
const webpack = `const said = (name) => process.argv[process.argv.indexOf(name) + 1];
const to = require('node:path').join(said('--output-path'), said('--output-filename'));
require('node:fs').copyFileSync(said('--entry-file'), to);
`;

const created = (name: string, os: string, platform: string) => [
  { line: `apps create --display-name ${name} --os ${os} --platform ${platform} --output json`, json: { name } },
  {
    line: `codepush deployment add Staging --app rhea/${name}`,
    prints: `Deployment Staging has been created for rhea/${name} with key {any}`,
  },
];

const released = (folder: string, name: string) =>
  `Successfully released an update containing the "{any}${folder}" directory to the "Staging" deployment of the "${name}" app.`;

/** Projects whose JavaScript is bundled first: by Metro itself, and by stand-ins for tools that need an SDK. */
export const bundles: Journey = {
  title: 'over-the-air updates of projects',
  user: 'rhea',
  files: {
    'package.json': JSON.stringify({
      name: 'reef',
      version: '1.2.0',
      dependencies: { 'react-native': '0.76.0', electron: '33.0.0' },
    }),
    'index.js': `const { greet } = require('./greet');\nconsole.log(greet('reef'));\n`,
    'greet.android.js': 'exports.greet = (name) => `Android, $' + '{name}`;\n',
    'greet.ios.js': 'exports.greet = (name) => `iOS, $' + '{name}`;\n',
    'android/app/build.gradle': 'android {\n  defaultConfig {\n    versionName "1.3.0"\n  }\n}\n',
    'node_modules/.bin/react-native': `require(${JSON.stringify(metro)});\n`,
    'config.xml': '<widget id="org.example.reef" version="1.4.0"></widget>\n',
    'www/index.html': '<!doctype html><title>Reef</title>\n',
    'bin/cordova': cordova,
    'node_modules/webpack-cli/bin/cli.js': webpack,
  },
  commands: [
    login,
    ...created('Reef', 'Android', 'React-Native'),
    {
      line: 'codepush release-react --app rhea/Reef --deployment-name Staging --description "Made by Metro"',
      prints: [
        'Detecting android app version:',
        'Using the target binary version value "1.3.0" from "android/app/build.gradle".',
        'Running "react-native bundle" command:',
        'node node_modules/.bin/react-native bundle --assets-dest {any}',
        'Releasing update contents to CodePush:',
        released('/CodePush', 'Reef'),
      ].join('\n'),
    },
    {
      line: 'codepush deployment history Staging --app rhea/Reef',
      prints: [
        'Label | Release Time | App Version | Mandatory | Description | Install Metrics',
        'v1 | {any} | 1.3.0 | No | Made by Metro | No installs recorded',
      ].join('\n'),
    },
    {
      line: 'codepush release-react --app rhea/Reef --deployment-name Nowhere',
      exit: 4,
      prints: 'Error: Deployment "Nowhere" does not exist.',
    },
    ...created('Shoal', 'Android', 'Cordova'),
    {
      line: 'codepush release-cordova --app rhea/Shoal --deployment-name Staging',
      prints: [
        'Running "cordova prepare" command:',
        'Releasing update contents to CodePush:',
        released('/assets/www', 'Shoal'),
      ].join('\n'),
    },
    ...created('Atoll', 'Linux', 'Electron'),
    {
      line: 'codepush release-electron --app rhea/Atoll --deployment-name Staging',
      prints: [
        'Running "webpack bundle" command:',
        'node node_modules/webpack-cli/bin/cli.js {any}',
        'Releasing update contents to CodePush:',
        released('/CodePush', 'Atoll'),
      ].join('\n'),
    },
  ],
};
