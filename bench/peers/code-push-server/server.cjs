const { execFileSync, spawn } = require('node:child_process');
const { mkdirSync, readFileSync } = require('node:fs');
const path = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');
const mysql = require('mysql2');

/**
 * `node server.cjs <port> <file>`: serves as many deployments of 20 releases as the file says, on the MariaDB that it names,
 * with a data folder beside the file.
 */
const [port, file] = process.argv.slice(2);
const { program, deployments } = JSON.parse(readFileSync(file, 'utf8'));
const folder = `${file}-mariadb`;
const databasePort = Number(port) + 1000;
const RELEASES = 20;

const running = [];
process.on('SIGTERM', () => {
  for (const child of running) child.kill('SIGKILL');
  process.exit(0);
});
const start = (command, args, env = {}) => {
  const child = spawn(command, args, { stdio: 'ignore', env: { ...process.env, ...env } });
  running.push(child);
  return child;
};

async function startDatabase() {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const common = ['--no-defaults', `--datadir=${folder}`, ...(process.getuid?.() === 0 ? ['--user=root'] : [])];
  const make = path.join(path.dirname(program), '../bin/mariadb-install-db');
  const options = ['--auth-root-authentication-method=normal', '--skip-test-db'];
  execFileSync(make, [...common, ...options], { stdio: 'ignore' });
  const own = [`--port=${databasePort}`, `--socket=${folder}/sock`, '--bind-address=127.0.0.1'];
  start(program, [...common, ...own, `--pid-file=${folder}/pid`]);
  const at = { host: '127.0.0.1', port: databasePort, user: 'root' };
  for (;;) {
    const connection = mysql.createConnection(at);
    const failure = await new Promise((resolve) => connection.connect(resolve));
    connection.destroy();
    if (!failure) return at;
    await sleep(200);
  }
}

/** As its own releases leave it: the newest is what devices with 1.0.x get, half of them. */
async function seed(at) {
  const connection = mysql.createConnection({ ...at, database: 'codepush' });
  const insert = (table, columns, rows) =>
    new Promise((resolve, reject) => {
      const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES ?`;
      connection.query(sql, [rows], (error) => (error ? reject(error) : resolve()));
    });
  const numbers = Array.from({ length: deployments }, (_, n) => n);
  const ids = (n) => n + 1;
  await insert(
    'deployments',
    ['id', 'appid', 'name', 'deployment_key', 'last_deployment_version_id', 'label_id'],
    [...numbers.map((n) => [ids(n), 1, `d${n}`, `bench-deployment-${n}`, ids(n), RELEASES])],
  );
  const newest = (n) => n * RELEASES + RELEASES;
  await insert(
    'deployments_versions',
    ['id', 'deployment_id', 'app_version', 'current_package_id', 'min_version', 'max_version'],
    numbers.map((n) => [ids(n), ids(n), '1.0.x', newest(n), '1000000000000000', '1000010000000000']),
  );
  const columns = ['id', 'deployment_version_id', 'deployment_id', 'description', 'package_hash', 'blob_url', 'size'];
  for (let at = 0; at < deployments; at += 100)
    await insert(
      'packages',
      [...columns, 'release_method', 'label', 'rollout'],
      numbers
        .slice(at, at + 100)
        .flatMap((n) =>
          Array.from({ length: RELEASES }, (_, release) => [
            n * RELEASES + release + 1,
            ids(n),
            ids(n),
            'A description of typical length, as it is written for a new release.',
            release.toString(16).padStart(64, '0'),
            `package-${release}`,
            5_853_567,
            'Upload',
            `v${release + 1}`,
            release === RELEASES - 1 ? 50 : 100,
          ]),
        ),
    );
  connection.destroy();
}

async function main() {
  const at = await startDatabase();
  const home = path.dirname(require.resolve('code-push-server/package.json'));
  const options = ['--dbhost', at.host, '--dbport', String(at.port), '--dbuser', at.user];
  execFileSync(process.execPath, [path.join(home, 'bin/db'), 'init', ...options], { stdio: 'ignore' });
  await seed(at);
  start(process.execPath, [path.join(home, 'bin/www')], {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: port,
    RDS_HOST: at.host,
    RDS_PORT: String(at.port),
    RDS_USERNAME: at.user,
    STORAGE_DIR: folder,
    DATA_DIR: folder,
    TOKEN_SECRET: 'bench',
  });
  while (!(await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined))) await sleep(100);
  process.stdout.write('ready\n');
}

void main();
