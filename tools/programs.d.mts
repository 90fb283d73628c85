/** Where a program is; undefined if it is not installed. */
export function findProgram(
  name:
    | 'Chromium'
    | 'ChromeDriver'
    | 'ClickHouse'
    | 'HAProxy'
    | 'InfluxDB'
    | 'JDK'
    | 'JUnit'
    | 'MariaDB'
    | 'nginx'
    | 'strace',
): string | undefined;
