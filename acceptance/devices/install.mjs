import { ensureClientInstalled } from '../../tools/setup.mjs';

/**
 * Appium and WebdriverIO are not part of Mooring: they have their own folders and lock files, for these suites only.
 */
export default function setup() {
  ensureClientInstalled('acceptance/clients/appcenter-cli');
  // Not `npm ci`, which requires lock file entries for all platforms that a package has binaries for.
  for (const folder of ['acceptance/devices', 'acceptance/devices/webdriverio'])
    ensureClientInstalled(folder, ['install', '--no-save', '--ignore-scripts']);
}
