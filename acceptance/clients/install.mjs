import { globSync } from 'node:fs';
import path from 'node:path';
import { ensureClientInstalled } from '../../tools/setup.mjs';

/** Every lock file here is that of a client, so that nobody pays for it who does not run this suite. */
export default function setup() {
  for (const file of globSync('*/package-lock.json', { cwd: import.meta.dirname })) {
    ensureClientInstalled(`acceptance/clients/${path.dirname(file)}`);
  }
}
