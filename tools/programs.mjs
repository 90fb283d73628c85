// Programs of the machine that some suites need, and their usual paths.
import { existsSync } from 'node:fs';

const candidates = {
  Chromium: [
    process.env.MOORING_TEST_CHROMIUM ?? '',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ],
  ChromeDriver: ['/usr/bin/chromedriver', '/usr/local/bin/chromedriver', '/opt/homebrew/bin/chromedriver'],
  JDK: [process.env.JAVA_HOME ? `${process.env.JAVA_HOME}/bin/javac` : '', '/usr/bin/javac'],
  JUnit: ['/usr/share/java/junit4.jar'],
  strace: ['/usr/bin/strace'],
  InfluxDB: [process.env.MOORING_BENCH_INFLUXDB ?? '', '/usr/bin/influxd'],
  ClickHouse: [process.env.MOORING_BENCH_CLICKHOUSE ?? '', '/usr/sbin/clickhouse-server'],
  // A library, started by Java.
  ZooKeeper: ['/usr/share/java/zookeeper.jar'],
  Java: [process.env.JAVA_HOME ? `${process.env.JAVA_HOME}/bin/java` : '', '/usr/bin/java'],
  MariaDB: [process.env.MOORING_BENCH_MARIADB ?? '', '/usr/sbin/mariadbd'],
  nginx: [process.env.MOORING_BENCH_NGINX ?? '', '/usr/sbin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx'],
  HAProxy: ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy', '/opt/homebrew/bin/haproxy'],
};

/** The path of a program; undefined if it is not installed. */
export const findProgram = (name) => candidates[name].find((file) => file && existsSync(file));
