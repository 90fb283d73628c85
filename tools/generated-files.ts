import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');

/**
 * Writes generated files, which are committed so that reviews show changes of the API and the settings. With `--check`
 * it reports stale files instead and returns false.
 */
export function writeGeneratedFiles(files: Record<string, string>): boolean {
  const isCheck = process.argv.includes('--check');
  let stale = 0;
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(root, name);
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
    if (isCheck) {
      stale += 1;
      process.stderr.write(`${name} is stale; run \`npm run generate\` and commit it.\n`);
    } else {
      writeFileSync(file, text);
      process.stdout.write(`wrote ${name}\n`);
    }
  }
  return stale === 0;
}
