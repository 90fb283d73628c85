/** Installs what a folder's own lock file pins, if it is missing or stale. */
export function ensureClientInstalled(folder: string): void;

/** How the server's process is started. */
export declare const serverFlags: string[];

/** Builds the console, if it is missing or stale. */
export function ensureConsoleBuilt(): void;

/** The folder of the repository. */
export declare const root: string;

/** The JavaScript of a program of node_modules, which Node runs on every system. */
export function programFile(name: string): string;
