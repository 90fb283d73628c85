import { ensureClientInstalled } from '../../tools/setup.mjs';

/** Appium and WebdriverIO are no part of Mooring: folders and lock files of their own, for these suites only. */
export default function setup() {
  ensureClientInstalled('acceptance/clients/appcenter-cli');
  // Not `npm ci`, which wants an entry of the lock file for every platform that a package of its has binaries for.
  for (const folder of ['acceptance/devices', 'acceptance/devices/webdriverio'])
    ensureClientInstalled(folder, ['install', '--no-save', '--ignore-scripts']);
}
