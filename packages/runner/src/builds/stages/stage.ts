import type { BuildWork } from '@mooring/contract';
import type { Static } from 'typebox';

export type Work = Static<typeof BuildWork>;

/** One step of a build, with its own title in the log. */
export interface Stage {
  title: string;
  command: readonly string[];
  /** Relative to the sources. */
  folder: string;
  env?: Record<string, string>;
  /** The stage needs the signing keys of the branch. Other stages can't access them. */
  isSigning?: boolean;
}

/** Files of a build to store. */
export interface ArtifactPattern {
  kind: 'build' | 'symbols' | 'mapping' | 'bundle';
  /** Glob patterns relative to the sources. */
  patterns: readonly string[];
}

/** The stages and artifacts of a build. */
export interface Plan {
  /** Folder of the project and its scripts. */
  folder: string;
  /** Stages before the script `appcenter-pre-build`. */
  restore: readonly Stage[];
  build: readonly Stage[];
  artifacts: readonly ArtifactPattern[];
  variables: Record<string, string>;
}

export interface Sources {
  has(path: string): boolean;
  /** Xcode versions on this machine. */
  xcodes?: readonly Xcode[] | undefined;
}

/** An installed Xcode. */
export interface Xcode {
  version: string;
  folder: string;
}

/** Paths of signing keys during a build, outside the sources. */
export interface JobFiles {
  sources: string;
  keystore: string;
  certificate: string;
  profile: string;
  keychain: string;
  keychainPassword: string;
}
