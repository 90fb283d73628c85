import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * `node clickhouse.ts <port> <file>`: starts the ClickHouse that the file names, in the folder of that file, with its
 * own settings.
 */
const [port = '', file = ''] = process.argv.slice(2);
const folder = `${file}-data`;
mkdirSync(folder, { recursive: true });
const [config, users] = ['config.xml', 'users.xml'].map((name) => path.join(folder, name)) as [string, string];
writeFileSync(
  users,
  `<yandex><profiles><default><max_memory_usage>2000000000</max_memory_usage><max_threads>2</max_threads></default></profiles>
<users><default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default></users>
<quotas><default></default></quotas></yandex>`,
);
writeFileSync(
  config,
  `<yandex><logger><level>warning</level><log>${folder}/log</log><errorlog>${folder}/errors</errorlog></logger>
<http_port>${port}</http_port><tcp_port>${Number(port) + 1000}</tcp_port><listen_host>127.0.0.1</listen_host>
<path>${folder}/data/</path><tmp_path>${folder}/tmp/</tmp_path><users_config>${users}</users_config>
<default_profile>default</default_profile><default_database>default</default_database><mark_cache_size>268435456</mark_cache_size>
</yandex>`,
);
const child = spawn(readFileSync(file, 'utf8'), [`--config-file=${config}`], { stdio: 'ignore' });
process.on('SIGTERM', () => {
  child.kill('SIGKILL');
  process.exit(0);
});
const isThere = () =>
  fetch(`http://127.0.0.1:${port}/ping`).then(
    ({ ok }) => ok,
    () => false,
  );
while (!(await isThere())) await sleep(100);
process.stdout.write('ready\n');
