import type { RunnerDevice, TestEvent, TestWork } from '@mooring/contract';
import type { Static } from 'typebox';

export type Device = Static<typeof RunnerDevice>;
export type Event = Static<typeof TestEvent>;
export type Work = Static<typeof TestWork>;
export type EndedTest = Extract<Event, { type: 'test-ended' }>;

/** Returns the path of a program, if it is installed. */
export type FindProgram = (name: string) => string | undefined;

/** Receives results from an adapter. Screenshots are files in the folder of the job. */
export interface Reporter {
  started(suite: string, test: string): void;
  step(step: { suite: string; test: string; label: string; screenshot?: string | undefined }): void;
  ended(test: Omit<EndedTest, 'type' | 'at' | 'milliseconds'> & { milliseconds?: number | undefined }): void;
  /** Tests in progress. */
  running(): { suite: string; test: string }[];
}

/** Folders of a job. A suite can write only to folders in `box`. */
export interface Folders {
  box: string;
  /** Files of the suite. */
  suite: string;
  /** Output of the suite, such as JUnit XML reports and videos. */
  output: string;
  screenshots: string;
  home: string;
  /** Logs, which a suite can't access. */
  logs: string;
}

export interface Command {
  /** Title in the log; without one, the log has no entry. */
  title?: string;
  command: readonly string[];
  cwd?: string;
  env?: Record<string, string>;
  signal?: AbortSignal;
  /** Receives each line of stdout without its line break. Returning false omits the line from the log. */
  onLine?(line: string): boolean | undefined;
  /** Additional folders with tools. */
  tools?: readonly string[];
  /** The log for the output; test-log by default. */
  log?: 'test-log' | 'device-log' | 'appium-log';
}

/** A run of a suite on a device. */
export interface TestJob {
  work: Work;
  folders: Folders;
  /** The package of the app, if one was uploaded. */
  app: string | undefined;
  /** Environment of the tests. */
  env: Record<string, string>;
  signal: AbortSignal;
  report: Reporter;
  /** Runs a program in the sandbox, and kills all processes that it leaves. Returns the exit code. */
  run(command: Command): Promise<number>;
  /** Runs a program outside the sandbox, where the suite can't influence it. Returns its output. */
  runOnHost(command: readonly string[], options?: { maxBytes?: number }): Promise<string>;
  /** Adds a JUnit XML report from the suite. Without one, the runner creates reports from events. */
  addReport(name: string, xml: string): void;
  write(text: string): void;
  /** Debugging port of the browser, if a video is recorded. */
  debuggingPort?: number | undefined;
}

/** A running video recording of a device. */
export interface Recording {
  debuggingPort: number;
  /** Writes the video to the output folder. */
  end(job: TestJob): Promise<void>;
}

/** Finds devices of one kind. */
export interface DeviceSource {
  name: string;
  /** Lists missing tools, each with instructions; empty if everything is installed. */
  listMissing(find: FindProgram): string[];
  /** Lists connected devices. Frameworks decide separately which devices they support. */
  probe(find: FindProgram): Promise<Omit<Device, 'frameworks'>[]>;
  /** Records the state of a device before a job. Returns a function that restores it. */
  watch?(job: TestJob, find: FindProgram): Promise<(cleaning: TestJob) => Promise<void>>;
  /** Starts a video recording; undefined if these devices can't be recorded. */
  record?(job: TestJob, find: FindProgram): Promise<Recording>;
  /** Whether a process of the suite is the app under test; undefined if apps don't run on this machine. */
  isApp?(commandLine: string): boolean;
  /** Support for Appium. */
  appium: {
    /** npm package of the driver. */
    driver: string;
    listMissing(find: FindProgram): string[];
    /** Capabilities for a session; undefined if the key is not a device of this kind. */
    capabilities(
      key: string,
      options: { find: FindProgram; app?: string | undefined; debuggingPort?: number | undefined },
    ): object | undefined;
  };
}

/** Runs suites of a framework on devices. */
export interface Framework {
  name: Work['framework'];
  listMissing(find: FindProgram): string[];
  /** Whether the framework supports a device, regardless of missing tools. */
  fits(device: Omit<Device, 'frameworks'>): boolean;
  /** Validates and installs the suite before any test runs. */
  prepare(job: TestJob): Promise<void>;
  run(job: TestJob): Promise<void>;
  /** Restores the device. */
  cleanup(job: TestJob): Promise<void>;
}

/** The suite is invalid, and its owner must fix it. */
export class SuiteBroken extends Error {
  override name = 'SuiteBroken';
}

/** The device or its driver failed, not the suite. */
export class DeviceBroken extends Error {
  override name = 'DeviceBroken';
}
