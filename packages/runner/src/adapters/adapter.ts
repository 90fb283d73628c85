import type { RunnerDevice, TestEvent, TestWork } from '@mooring/contract';
import type { Static } from 'typebox';

export type Device = Static<typeof RunnerDevice>;
export type Event = Static<typeof TestEvent>;
export type Work = Static<typeof TestWork>;
export type EndedTest = Extract<Event, { type: 'test-ended' }>;

/** Where a program is on this machine. */
export type FindProgram = (name: string) => string | undefined;

/** What of a report an adapter tells; a screenshot is a file below the folder of the job. */
export interface Reporter {
  started(suite: string, test: string): void;
  step(step: { suite: string; test: string; label: string; screenshot?: string | undefined }): void;
  ended(test: Omit<EndedTest, 'type' | 'at' | 'milliseconds'> & { milliseconds?: number | undefined }): void;
  /** The tests that run now. */
  running(): { suite: string; test: string }[];
}

/** Folders of a job; those that a suite can write to are below `box`. */
export interface Folders {
  box: string;
  /** Files of the suite, by their paths. */
  suite: string;
  /** Where reports in JUnit XML, and whatever else is to be kept, may be written to. */
  output: string;
  screenshots: string;
  home: string;
  /** Logs of what runs outside of the suite: no suite can reach them. */
  logs: string;
}

export interface Command {
  /** What it is called in the log; nothing stands there without it. */
  title?: string;
  command: readonly string[];
  cwd?: string;
  env?: Record<string, string>;
  signal?: AbortSignal;
  /** Each line of its standard output, without the line break; false keeps it out of the log. */
  onLine?(line: string): boolean | undefined;
  /** Folders with tools beyond those of the machine. */
  tools?: readonly string[];
  /** The log that its output goes to; that of the suite if absent. */
  log?: 'test-log' | 'device-log' | 'appium-log';
}

/** A suite on a device. */
export interface TestJob {
  work: Work;
  folders: Folders;
  /** The package of the app, if one was uploaded. */
  app: string | undefined;
  /** What tests see. */
  env: Record<string, string>;
  signal: AbortSignal;
  report: Reporter;
  /** Runs a program in the sandbox; nothing of it is left then. Says its exit code. */
  run(command: Command): Promise<number>;
  /** Runs a program of this machine that no suite has a say in, outside of the sandbox; says what it printed. */
  ask(command: readonly string[], options?: { maxBytes?: number }): Promise<string>;
  /** Keeps a report in JUnit XML that the suite made itself; without any, they are made of what was told. */
  keepReport(name: string, xml: string): void;
  write(text: string): void;
  /** Where the browser of the suite is listened to, if it is recorded. */
  debuggingPort?: number | undefined;
}

/** What a device shows, while it is recorded. */
export interface Recording {
  debuggingPort: number;
  /** Leaves a video in the output folder. */
  end(job: TestJob): Promise<void>;
}

/** Says which devices there are. */
export interface DeviceSource {
  name: string;
  /** What this machine lacks for it, each as something to do; nothing if all is there. */
  lacks(find: FindProgram): string[];
  /** Which frameworks can run on them is found out by asking each. */
  probe(find: FindProgram): Promise<Omit<Device, 'frameworks'>[]>;
  /** Looks at a device before a job; what it says takes away what the job left on it. */
  watch?(job: TestJob, find: FindProgram): Promise<(cleaning: TestJob) => Promise<void>>;
  /** Records what one of its devices shows, from now on; sources whose devices cannot be recorded have none. */
  record?(job: TestJob, find: FindProgram): Promise<Recording>;
  /** Whether a process that was started for a suite is the app under test; sources whose apps run elsewhere have none. */
  isApp?(commandLine: string): boolean;
  /** How Appium drives its devices. */
  appium: {
    /** The package with the driver. */
    driver: string;
    lacks(find: FindProgram): string[];
    /** For a session on one of its devices; undefined if it is none of them. */
    capabilities(
      key: string,
      options: { find: FindProgram; app?: string | undefined; debuggingPort?: number | undefined },
    ): object | undefined;
  };
}

/** Runs suites of a framework on devices. */
export interface Framework {
  name: Work['framework'];
  lacks(find: FindProgram): string[];
  /** Whether it could run on a device, were nothing lacking. */
  fits(device: Omit<Device, 'frameworks'>): boolean;
  /** Looks at the suite and installs it: what is wrong with it is said before anything runs. */
  prepare(job: TestJob): Promise<void>;
  run(job: TestJob): Promise<void>;
  /** The device as it was before. */
  cleanup(job: TestJob): Promise<void>;
}

/** The suite cannot be run as it is; its owner must change it. */
export class SuiteBroken extends Error {
  override name = 'SuiteBroken';
}

/** The device, or what drives it, has failed; the suite is not to blame. */
export class DeviceBroken extends Error {
  override name = 'DeviceBroken';
}
