// Writes the data folder of this version, with the world of the examples in it, for packages/server/test/upgrade: run it once
// before a version is given away, so that the next ones are shown to take it over. Usage: node tools/upgrade-fixture.ts <file.zip>
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createToken } from '../acceptance/harness/http.ts';
import { startServer } from '../acceptance/harness/server.ts';
import { fillWorld } from '../acceptance/harness/world.ts';
import { zipOf } from './zips.ts';

const [file] = process.argv.slice(2);
if (!file) {
  process.stderr.write('Usage: node tools/upgrade-fixture.ts <file.zip>\n');
  process.exit(2);
}
const server = await startServer();
await fillWorld(server);
const { api_token: token } = await createToken(server);
await server.stop({ keepData: true });
const database = new DatabaseSync(path.join(server.dataDir, 'mooring.db'));
database.exec('pragma wal_checkpoint(truncate); vacuum');
database.close();

const isKept = (name: string): boolean => /^(mooring[.]db|secret[.]key|blobs\/.*)$/.test(name);
const files = readdirSync(server.dataDir, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => path.relative(server.dataDir, path.join(entry.parentPath, entry.name)))
  .filter(isKept)
  .sort();
const parts = files.map((name) => ({ path: name, content: readFileSync(path.join(server.dataDir, name)) }));
writeFileSync(file, zipOf([{ path: 'token', content: token }, ...parts]));
await server.stop();
