export declare const version: string;
export declare const platforms: string[];

export interface Runtime {
  /** The package of npm that carries it. */
  name: string;
  version: string;
  /** Where the program is in the package. */
  program: string;
  sha256: string;
  /** What npm's lock files say of the package. */
  integrity: string;
}

/** What is pinned for a platform, such as `linux-x64`; throws for one that is not known. */
export function pinnedRuntime(platform: string): Runtime;

/** Whether a file is there and is exactly the program that is pinned. */
export function isPinned(file: string, runtime: Pick<Runtime, 'sha256'>): boolean;
