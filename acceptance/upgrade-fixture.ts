// Writes the data folder of this version, with the test fixtures, for packages/server/test/upgrade. Run it once before
// a version is released, so that tests can upgrade from it. Usage: node acceptance/upgrade-fixture.ts <file.zip>
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createZip } from '../tools/samples/zips.ts';
import { createFixtures } from './harness/fixtures.ts';
import { createToken } from './harness/http.ts';
import { startServer } from './harness/server.ts';

const [file] = process.argv.slice(2);
if (!file) {
  process.stderr.write('Usage: node acceptance/upgrade-fixture.ts <file.zip>\n');
  process.exit(2);
}
const server = await startServer();
await createFixtures(server);
const { api_token: token } = await createToken(server);
await server.stop({ keepData: true });
const database = new DatabaseSync(path.join(server.dataDir, 'mooring.db'));
database.exec('pragma wal_checkpoint(truncate); vacuum');
database.close();

const isIncluded = (name: string): boolean => /^(mooring[.]db|secret[.]key|blobs\/.*)$/.test(name);
const files = readdirSync(server.dataDir, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => path.relative(server.dataDir, path.join(entry.parentPath, entry.name)))
  .filter(isIncluded)
  .sort();
const parts = files.map((name) => ({ path: name, content: readFileSync(path.join(server.dataDir, name)) }));
writeFileSync(file, createZip([{ path: 'token', content: token }, ...parts]));
await server.stop();
