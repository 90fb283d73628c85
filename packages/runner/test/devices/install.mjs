import { ensureClientInstalled } from '../../../../tools/setup.mjs';

/** Appium is no part of Mooring: a folder and a lock file of its own, for this suite only. */
export default function setup() {
  ensureClientInstalled('packages/runner/test/devices');
}
