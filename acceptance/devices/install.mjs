import { ensureClientInstalled } from '../../tools/setup.mjs';

/** Appium is no part of Mooring: a folder and a lock file of its own, for this suite only. */
export default function setup() {
  ensureClientInstalled('acceptance/clients/appcenter-cli');
  // Not `npm ci`, which wants an entry of the lock file for every platform that a package of its has binaries for.
  ensureClientInstalled('acceptance/devices', ['install', '--no-save', '--ignore-scripts']);
}
