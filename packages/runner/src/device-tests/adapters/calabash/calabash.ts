import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { plugIn } from '../plug-in.ts';
import { readCucumber } from './cucumber.ts';

/** Calabash is retired, so the operator of the runner provides a command for it. */
export const calabash = plugIn({
  name: 'calabash',
  variable: 'MOORING_CALABASH_COMMAND',
  task: 'runs the features in the current folder and writes Cucumber JSON to $MOORING_OUTPUT',
  extension: '.json',
  async reportTests({ report, folders }, json) {
    const scenarios = readCucumber(json);
    let count = 0;
    for (const { steps, ...scenario } of scenarios) {
      report.started(scenario.suite, scenario.test);
      for (const { label, screenshot } of steps) {
        count += 1;
        const file = path.join(folders.screenshots, `cucumber-${count}`);
        if (screenshot !== undefined) await writeFile(file, Buffer.from(screenshot, 'base64'));
        report.step({ ...scenario, label, screenshot: screenshot === undefined ? undefined : file });
      }
      report.ended(scenario);
    }
    return scenarios.length;
  },
});
