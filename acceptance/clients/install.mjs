import { globSync } from 'node:fs';
import path from 'node:path';
import { ensureClientInstalled } from '../../tools/setup.mjs';

/** Each lock file here belongs to a client, so that only this suite installs it. */
export default function setup() {
  for (const file of globSync('*/package-lock.json', { cwd: import.meta.dirname })) {
    ensureClientInstalled(`acceptance/clients/${path.dirname(file)}`);
  }
}
