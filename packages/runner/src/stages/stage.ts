import type { BuildWork } from '@mooring/contract';
import type { Static } from 'typebox';

export type Work = Static<typeof BuildWork>;

/** One step of a build, as it stands in the log. */
export interface Stage {
  title: string;
  command: readonly string[];
  /** Within the sources. */
  folder: string;
  env?: Record<string, string>;
  /** Needs the keys of the branch: no other stage finds them. */
  isSigning?: boolean;
}

/** What is kept of what a build made. */
export interface Kept {
  kind: 'build' | 'symbols' | 'mapping' | 'bundle';
  /** Patterns, from the folder of the sources. */
  patterns: readonly string[];
}

/** How a build of some toolset goes. */
export interface Plan {
  /** Where the project lies, and its scripts beside it. */
  folder: string;
  /** Before the script `appcenter-pre-build`, and after it. */
  restore: readonly Stage[];
  build: readonly Stage[];
  keep: readonly Kept[];
  variables: Record<string, string>;
}

export interface Sources {
  has(path: string): boolean;
  /** Those of this machine. */
  xcodes?: readonly Xcode[] | undefined;
}

/** An installed Xcode. */
export interface Xcode {
  version: string;
  folder: string;
}

/** Where keys of a job are while it is built, outside of the sources. */
export interface JobFiles {
  sources: string;
  keystore: string;
  certificate: string;
  profile: string;
  keychain: string;
  keychainPassword: string;
}
