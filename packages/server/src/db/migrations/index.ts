import { readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Migration } from 'kysely/migration';

/** Names in databases never change, so a file that was renamed keeps its first name here. */
const storedNames: Readonly<Record<string, string>> = { '0118-app-import': '0118-what-was-elsewhere' };

async function load(file: string): Promise<[name: string, migration: Migration]> {
  const exported: Record<string, Migration> = await import(pathToFileURL(path.join(import.meta.dirname, file)).href);
  const [migration, ...others] = Object.values(exported);
  if (!migration || others.length > 0) throw new Error(`${file} must export one migration.`);
  const { name } = path.parse(file);
  return [storedNames[name] ?? name, migration];
}

const files = readdirSync(import.meta.dirname).filter((file) => /^\d{4}-[a-z0-9-]+\.[jt]s$/.test(file));

/** All migrations of this folder, by the name under which a database records them. */
export const migrations = Object.fromEntries(await Promise.all(files.map(load)));
