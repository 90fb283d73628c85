import { readdirSync } from 'node:fs';
import { ensureClientInstalled } from '../../tools/setup.mjs';

/** Every folder here is a client with a lock file of its own, so that nobody pays for it who does not run this suite. */
export default function setup() {
  for (const entry of readdirSync(import.meta.dirname, { withFileTypes: true })) {
    if (entry.isDirectory()) ensureClientInstalled(`acceptance/clients/${entry.name}`);
  }
}
