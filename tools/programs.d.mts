/** Where a program is; undefined if it is not installed. */
export function findProgram(name: 'Chromium' | 'ClickHouse' | 'HAProxy' | 'InfluxDB' | 'strace'): string | undefined;
