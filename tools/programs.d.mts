/** Where a program is; undefined if it is not installed. */
export function findProgram(
  name:
    | 'Chromium'
    | 'ChromeDriver'
    | 'ClickHouse'
    | 'HAProxy'
    | 'InfluxDB'
    | 'Java'
    | 'JDK'
    | 'JUnit'
    | 'MariaDB'
    | 'nginx'
    | 'strace'
    | 'ZooKeeper',
): string | undefined;
