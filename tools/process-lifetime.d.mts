export interface ProcessEntry {
  parent: number;
  name: string;
}
export function readProcess(pid: number, platform?: string): Promise<ProcessEntry | undefined>;
export function parseProcess(line: string): ProcessEntry | undefined;
export function findNpm(options: {
  env: Record<string, string | undefined>;
  ppid: number;
  read: (pid: number) => Promise<ProcessEntry | undefined>;
}): Promise<number[]>;
